import { remoteOutputBytes } from '@homeport/contract/limits';

/** The lines that a follower was told, as far as a stored log is read. A server may print lines without end. */
export class ToldLines {
  readonly lines: string[] = [];
  #characters = 0;

  /** False after more lines than a stored log can have: then there is nothing to compare. */
  get areAll(): boolean {
    return this.#characters <= remoteOutputBytes;
  }

  add(text: string): void {
    this.#characters += text.length + 1;
    if (this.areAll) this.lines.push(text);
  }
}

/**
 * The lines of a finished log that a follower has not received. With `anew`, `lines` is the whole log: the
 * follower received nothing, or something other than the beginning of the stored log.
 */
export function restOfLog(
  told: readonly string[],
  stored: readonly string[],
): { anew: boolean; lines: readonly string[] } {
  if (stored.length === 0) return { anew: false, lines: [] };
  const whole = told.findLastIndex((text) => text !== '') + 1;
  const goesOn = whole > 0 && told.slice(0, whole).every((text, index) => text === stored[index]);
  return goesOn ? { anew: false, lines: stored.slice(told.length) } : { anew: true, lines: stored };
}
