import type { Input } from '../terminal.ts';

/**
 * The lines of standard input until it ends or `ended` aborts. null stands for a line of more than `most` bytes, of which no more is
 * kept. The next piece is read when the lines of the one before have been taken.
 */
export async function* inputLines(
  stdin: Input,
  most: number,
  ended: AbortSignal,
): AsyncGenerator<string | null> {
  let rest = '';
  let isTooLong = false;
  for await (const text of piecesOf(stdin, ended)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!isTooLong) yield Buffer.byteLength(line) > most ? null : line;
      isTooLong = false;
    }
    if (isTooLong) rest = '';
    else if (rest.length > most) {
      yield null;
      isTooLong = true;
      rest = '';
    }
  }
  if (rest !== '') yield Buffer.byteLength(rest) > most ? null : rest;
}

async function* piecesOf(stdin: Input, ended: AbortSignal): AsyncGenerator<string> {
  const pieces: string[] = [];
  let isOver = ended.aborted;
  let wake = () => {};
  const take = (text: string) => {
    pieces.push(text);
    stdin.pause();
    wake();
  };
  const end = () => {
    isOver = true;
    wake();
  };
  stdin.setEncoding('utf8');
  stdin.on('data', take);
  stdin.on('end', end);
  ended.addEventListener('abort', end, { once: true });
  try {
    while (true) {
      const piece = pieces.shift();
      if (piece !== undefined) yield piece;
      else if (isOver) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
          stdin.resume();
        });
    }
  } finally {
    ended.removeEventListener('abort', end);
    stdin.off('data', take);
    stdin.off('end', end);
    stdin.pause();
  }
}
