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

const blockCharacters = 1_024;

export function createPatchedText(): PatchedText {
  // A text that grows by single characters is copied whole at each look into it. So what came is closed in blocks.
  let blocks: { start: number; text: string }[] = [];
  let open = '';
  let openFrom = 0;
  let from = 0;
  let patches: { start: number; end: number; text: string }[] = [];

  function slice(start: number, end: number): string {
    let out = '';
    for (let index = findBlock(start); index < blocks.length; index += 1) {
      const block = blocks[index];
      if (block === undefined || block.start >= end) break;
      out += block.text.slice(Math.max(0, start - block.start), end - block.start);
    }
    return end > openFrom ? out + open.slice(Math.max(0, start - openFrom), end - openFrom) : out;
  }

  /** The index of the block with this offset; the number of blocks where the offset is behind them. */
  function findBlock(offset: number): number {
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const block = blocks[middle];
      if (block !== undefined && block.start + block.text.length <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const end = () => openFrom + open.length;

  function take(end: number): string {
    if (end <= from) return '';
    let out = '';
    let at = from;
    const ready = patches.filter(({ start, end: until }) => start < end && until <= end);
    patches = patches.slice(ready.length);
    for (const { start, end: until, text } of ready) {
      out += slice(at, start) + text;
      at = until;
    }
    out += slice(at, end);
    blocks = blocks.slice(findBlock(end));
    from = end;
    return out;
  }

  return {
    add(chunk) {
      open += chunk;
      if (open.length < blockCharacters) return;
      blocks.push({ start: openFrom, text: open });
      openFrom += open.length;
      open = '';
    },
    slice,
    patch(start, end, text) {
      patches.push({ start, end, text });
    },
    take,
    takeAll() {
      const all = end();
      const last = patches.filter(({ start }) => start === all).map(({ text }) => text);
      return take(all) + last.join('');
    },
    from: () => from,
    length: () => end() - from,
  };
}
