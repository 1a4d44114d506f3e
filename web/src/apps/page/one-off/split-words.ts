/** A typed line as the words of a command. */
export interface SplitWords {
  words: string[];
  /** A quote that begins is not closed. */
  open: boolean;
  /** A sign outside quotes that a shell would act on; null: none. No shell reads the words. */
  shellSign: string | null;
}

const shellSigns = new Set(['|', '&', ';', '<', '>', '$', '`', '*', '~']);

/**
 * Splits a line at white space, except within quotes. Within '…' each character stands for itself; within "…" and outside, a
 * backslash makes the next character ordinary. Nothing is replaced: `$HOME` stays these five characters.
 */
export function splitWords(line: string): SplitWords {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  let shellSign: string | null = null;
  const characters = [...line];
  for (let at = 0; at < characters.length; at += 1) {
    const sign = characters[at] ?? '';
    const next = characters[at + 1];
    if (sign === '\\' && quote !== "'" && next !== undefined && isEscaped(next, quote)) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote === null && (sign === "'" || sign === '"')) {
      quote = sign;
      word ??= '';
    } else if (sign === quote) quote = null;
    else if (quote === null && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (quote === null && shellSigns.has(sign)) shellSign ??= sign;
      word = (word ?? '') + sign;
    }
  }
  if (word !== null) words.push(word);
  return { words, open: quote !== null, shellSign };
}

const isEscaped = (next: string, quote: string | null) => quote === null || next === '"' || next === '\\';
