import { encodeSnippet } from './encode-snippet.ts';
import { isUtf8, isUtf16, prescanBytes } from './page-charset.ts';

/** A snippet that waits for its place in a page. */
export type WaitingSnippet = {
  isLeft(): boolean;
  /** Looks at the next piece of the page. False for a page in UTF-16: it gets no snippet. */
  fits(chunk: string): boolean;
  /** As the page's charset needs it, once. Empty after that. */
  take(): string;
};

/** @param charset as the headers tell it; null where they tell none */
export function waitingSnippet(text: string | null, charset: string | null): WaitingSnippet {
  let left = text;
  /** As much of the page as its charset is read from. */
  let begin = '';
  return {
    isLeft: () => left !== null,
    fits(chunk) {
      if (begin.length < prescanBytes) begin += chunk.slice(0, prescanBytes);
      if (!isUtf16(begin)) return true;
      left = null;
      return false;
    },
    take() {
      const taken = left === null ? '' : encodeSnippet(left, () => isUtf8(charset, begin));
      left = null;
      return taken;
    },
  };
}
