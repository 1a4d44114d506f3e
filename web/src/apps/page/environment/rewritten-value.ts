/**
 * What Dokku makes of a value that reads as an integer: it loses its leading zeros and its plus sign (godotenv 1.5.1).
 * Null for all others, which come back as they are.
 */
export function rewrittenValue(value: string): string | null {
  if (!/^[+-]?\d{1,18}$/.test(value)) return null;
  const kept = BigInt(value.replace(/^\+/, '')).toString();
  return kept === value ? null : kept;
}
