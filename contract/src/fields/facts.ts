import { hidesSomething } from './shown-text.ts';

/** The largest number that a column of the type integer takes (PostgreSQL, 8.1). */
export const mostInteger = 2_147_483_647;

/** The bounds of texts that more than one record has. */
export const nameCharacters = 80;
export const locationCharacters = 80;
export const descriptionCharacters = 500;
/** A path at an app's address, and a folder in its container. */
export const pathCharacters = 200;
/** RFC 1035, 2.3.4, without the final dot. */
export const hostnameCharacters = 253;
/** RFC 5321, 4.5.3.1.3, without the brackets of a path. */
export const emailCharacters = 254;

/** Why this text cannot be a name; null if it can. White space around it does not count. */
export function nameProblem(name: string): string | null {
  const text = name.trim();
  if (text === '') return 'Enter a name.';
  if (text.length > nameCharacters) return `Use at most ${nameCharacters} characters.`;
  return hidesSomething(text)
    ? 'A name cannot hold line breaks, control characters or invisible characters.'
    : null;
}
