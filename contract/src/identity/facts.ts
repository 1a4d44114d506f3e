export const passwordCharacters = { least: 8, most: 128 } as const;

/** Digits of a code of an authenticator app. Apps show a space in the middle, so a field takes one more. */
export const appCodeDigits = 6;
export const recoveryCodeCharacters = 40;
