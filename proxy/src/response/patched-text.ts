/** A text that comes in pieces, and the changes that are known so far. Offsets count from the beginning of the whole text. */
export type PatchedText = {
  add(chunk: string): void;
  slice(start: number, end: number): string;
  patch(start: number, end: number, text: string): void;
  /** Gives what stands before this offset, with its patches. Patches of what is not taken yet wait. */
  take(end: number): string;
  takeAll(): string;
  /** The offset of the first character that was not taken. */
  from(): number;
  length(): number;
};

export function createPatchedText(): PatchedText {
  let held = '';
  let from = 0;
  let patches: { start: number; end: number; text: string }[] = [];

  const slice = (start: number, end: number) => held.slice(start - from, end - from);

  function take(end: number): string {
    let out = '';
    let at = from;
    const ready = patches.filter(({ start, end: until }) => start < end && until <= end);
    patches = patches.slice(ready.length);
    for (const { start, end: until, text } of ready) {
      out += slice(at, start) + text;
      at = until;
    }
    out += slice(at, end);
    held = held.slice(end - from);
    from = end;
    return out;
  }

  return {
    add(chunk) {
      held += chunk;
    },
    slice,
    patch(start, end, text) {
      patches.push({ start, end, text });
    },
    take,
    takeAll() {
      const end = from + held.length;
      const last = patches.filter(({ start }) => start === end).map(({ text }) => text);
      return take(end) + last.join('');
    },
    from: () => from,
    length: () => held.length,
  };
}
