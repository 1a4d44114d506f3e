export const passwordCharacters = { least: 8, most: 128 } as const;
/** What a form says beside a new password. */
export const passwordHint = `At least ${passwordCharacters.least} characters, no common password, and more than your name or address.`;
export const consoleName = 'Homeport';

/** Digits of a code of an authenticator app. Apps show a space in the middle, so a field takes one more. */
export const appCodeDigits = 6;
export const recoveryCodeCharacters = 40;

/** For so long after a sign-in or a confirmation, a session may make ways in that last. */
export const confirmedMinutes = 10;
