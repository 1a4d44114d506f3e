import type { Readme } from '@homeport/contract/apps/settings-schema';
import { readmeCharacters } from '@homeport/contract/limits';

/**
 * What is shown of a readme's text, and who read it. One that says `invalid input` is an error page that was once stored
 * as a readme.
 */
export function readmeOf(text: string, account: string): Readme {
  if (text.includes('invalid input')) return { kind: 'none', account };
  // Characters as people count them, not the two halves of a rare one.
  const tooLong = [...text].length > readmeCharacters;
  return tooLong ? { kind: 'too_long', account } : { kind: 'text', text, account };
}
