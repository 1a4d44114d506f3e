/** The rules for one environment variable, for forms, for the api and for Dokku. */
export const environmentKeyCharacters = 128;
export const environmentKeyTooLong = `A key has at most ${environmentKeyCharacters} characters.`;
/** A key as a shell takes it. Dokku refuses others. */
export const environmentKeyPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const environmentKeyMalformed = 'Use letters, digits and _. A key cannot begin with a digit.';

export const environmentValueCharacters = 32_768;
export const environmentValueTooLong = 'A value has at most 32 kB.';

/** Why this text cannot be the key of a variable; null if it can. */
export function environmentKeyProblem(key: string): string | null {
  if (key.length > environmentKeyCharacters) return environmentKeyTooLong;
  return environmentKeyPattern.test(key) ? null : environmentKeyMalformed;
}

/** Why this text cannot be the value of a variable; null if it can. */
export function environmentValueProblem(value: string): string | null {
  return value.length > environmentValueCharacters ? environmentValueTooLong : null;
}

/**
 * How Dokku rewrites a value that reads as an integer: leading zeros and a plus sign are lost (godotenv
 * 1.5.1). Null for every other value, which Dokku keeps as it is.
 */
export function rewrittenValue(value: string): string | null {
  if (!/^[+-]?\d{1,18}$/.test(value)) return null;
  const kept = BigInt(value.replace(/^\+/, '')).toString();
  return kept === value ? null : kept;
}
