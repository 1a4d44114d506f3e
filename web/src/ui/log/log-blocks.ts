/**
 * The number of lines in a block. Blocks are numbered over the whole stream, so that a block stays the same
 * when earlier lines are dropped.
 */
export const blockLines = 25;
/** Pixels. The estimated height of a line that was not drawn yet. */
const lineHeight = 20;

export interface LogBlock {
  id: number;
  /** Indexes of the block's lines. `to` is the index after the last. */
  from: number;
  to: number;
}

/** The places of the blocks, computed from the measured heights of the drawn blocks. */
export interface LogBlocks {
  count: number;
  block: (position: number) => LogBlock;
  /** Pixels from the first line. For the position after the last block, the total height. */
  top: (position: number) => number;
  /** The position of the block at this many pixels. */
  at: (top: number) => number;
  /** The position of the block that holds the line with this index. */
  ofLine: (index: number) => number;
}

export interface DrawnBlock {
  lines: number;
  height: number;
}

export function layBlocks(
  firstNumber: number,
  lines: number,
  drawn: ReadonlyMap<number, DrawnBlock>,
): LogBlocks {
  const firstId = Math.floor((firstNumber - 1) / blockLines);
  /** The number of dropped lines of the first block. */
  const gone = (firstNumber - 1) % blockLines;
  const count = lines === 0 ? 0 : Math.ceil((gone + lines) / blockLines);
  const block = (position: number): LogBlock => ({
    id: firstId + position,
    from: Math.max(0, position * blockLines - gone),
    to: Math.min(lines, (position + 1) * blockLines - gone),
  });
  const tops = new Float64Array(count + 1);
  for (let position = 0; position < count; position += 1) {
    const { id, from, to } = block(position);
    const known = drawn.get(id);
    const height = known ? known.height + (to - from - known.lines) * lineHeight : (to - from) * lineHeight;
    tops[position + 1] = (tops[position] ?? 0) + Math.max(0, height);
  }
  return {
    count,
    block,
    top: (position) => tops[Math.min(Math.max(0, position), count)] ?? 0,
    at(top) {
      let [low, high] = [0, Math.max(0, count - 1)];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((tops[middle] ?? 0) <= top) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    ofLine: (index) => Math.floor((index + gone) / blockLines),
  };
}
