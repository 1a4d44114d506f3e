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

const encodeIt = 'Encode the value, for example as base64, and let the app decode it.';
export const environmentValueEndsInQuote = `Dokku loses a " at the end of a value. ${encodeIt}`;
export const environmentValueEndsInBackslash = `Dokku cannot read a value that ends in \\, and then none of the app’s variables. ${encodeIt}`;
export const environmentValueEscapesQuote = `Dokku cannot start the app with \\' in a value. ${encodeIt}`;
export const environmentValueHoldsNul = 'A variable cannot hold the character NUL.';

/**
 * Why this text cannot be the value of a variable; null if it can. Dokku keeps variables in a file that godotenv 1.5.1 writes and
 * misreads: a quote ends a value unless a backslash stands before it, even if that backslash is escaped. Dokku also gives the
 * variables to bash between single quotes, without escaping backslashes (go-basher 5.1.8).
 */
export function environmentValueProblem(value: string): string | null {
  if (value.length > environmentValueCharacters) return environmentValueTooLong;
  if (value.endsWith('"')) return environmentValueEndsInQuote;
  if (value.endsWith('\\')) return environmentValueEndsInBackslash;
  if (value.includes("\\'")) return environmentValueEscapesQuote;
  return value.includes('\0') ? environmentValueHoldsNul : null;
}

/**
 * How Dokku rewrites a value that reads as an integer of 64 bits: leading zeros and a plus sign are lost (godotenv 1.5.1). Null
 * for every other value, which Dokku keeps as it is.
 */
export function rewrittenValue(value: string): string | null {
  if (value.length > environmentValueCharacters || !/^[+-]?\d+$/.test(value)) return null;
  const digits = value.replace(/^[+-]?0*/, '');
  if (digits.length > 19) return null;
  const number = BigInt(`${value.startsWith('-') ? '-' : ''}${digits || '0'}`);
  if (BigInt.asIntN(64, number) !== number) return null;
  return number.toString() === value ? null : number.toString();
}
