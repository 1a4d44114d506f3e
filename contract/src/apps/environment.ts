/** The rules for one environment variable, for forms, for the api and for what Dokku is given. */
export const environmentKeyCharacters = 128;
export const environmentKeyTooLong = `A key has at most ${environmentKeyCharacters} characters.`;
/** As a shell takes it; Dokku refuses others. */
export const environmentKeyPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const environmentKeyMalformed = 'A key has letters, digits and _, and begins with no digit.';

export const environmentValueCharacters = 32_768;
export const environmentValueTooLong = 'A value has at most 32 kB.';

/** Why this cannot be the key of a variable; null where it can. */
export function environmentKeyProblem(key: string): string | null {
  if (key.length > environmentKeyCharacters) return environmentKeyTooLong;
  return environmentKeyPattern.test(key) ? null : environmentKeyMalformed;
}

/** Why this cannot be the value of a variable; null where it can. */
export function environmentValueProblem(value: string): string | null {
  return value.length > environmentValueCharacters ? environmentValueTooLong : null;
}

/**
 * What Dokku makes of a value that reads as an integer: the value loses its leading zeros and its plus sign (godotenv 1.5.1).
 * Null for all others, which come back as they are.
 */
export function rewrittenValue(value: string): string | null {
  if (!/^[+-]?\d{1,18}$/.test(value)) return null;
  const kept = BigInt(value.replace(/^\+/, '')).toString();
  return kept === value ? null : kept;
}
