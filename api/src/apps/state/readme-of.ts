import type { Readme } from '@homeport/contract/apps/settings-schema';
import { readmeCharacters } from '@homeport/contract/limits';

/**
 * The readme as it is shown, with the account that read it. A text with `invalid input` is an error page that
 * was once stored as a readme.
 */
export function readmeOf(text: string, account: string): Readme {
  if (text.includes('invalid input')) return { kind: 'none', account };
  // Counts characters as people do: a rare one counts once, not as two halves.
  const tooLong = [...text].length > readmeCharacters;
  return tooLong ? { kind: 'too_long', account } : { kind: 'text', text, account };
}
