import type { Readme } from '@homeport/contract/app-settings';
import { readmeCharacters } from '@homeport/contract/limits';

/** What is shown of a readme's text. One that says `invalid input` is an error page that was once stored as a readme. */
export function readmeOf(text: string): Readme {
  if (text.includes('invalid input')) return { kind: 'none' };
  // Characters as people count them, not the two halves of a rare one.
  return [...text].length > readmeCharacters ? { kind: 'too_long' } : { kind: 'text', text };
}
