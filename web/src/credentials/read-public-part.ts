import { KeyError } from '@homeport/signer/key-error';
import { publicLine, readPublicKey } from '@homeport/signer/public-key';
import { md5Fingerprint } from '../keys/key-id.ts';
import { keyTypeWord } from './key-rows.ts';

/** A public line as the form shows it: its fingerprint and type, or its fault. */
export type PublicPart =
  | { state: 'empty' }
  | { state: 'valid'; line: string; fingerprint: string; word: string }
  | { state: 'invalid'; message: string; hint: string | undefined };

export function readPublicPart(text: string): PublicPart {
  const line = text.trim();
  if (line === '') return { state: 'empty' };
  try {
    const { blob, comment } = readPublicKey(line);
    return {
      state: 'valid',
      line: publicLine(blob, comment),
      fingerprint: md5Fingerprint(blob),
      word: `${keyTypeWord(line)} key`,
    };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    return { state: 'invalid', message: error.message, hint: error.hint };
  }
}
