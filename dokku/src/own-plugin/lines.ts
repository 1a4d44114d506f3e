import { z } from 'zod';
import { UnreadableOutputError } from '../output.ts';

/** The format of the answers of Homeport's plugin (`dokku/plugin/`) that this console reads. */
const format = 1;

const firstSchema = z.object({ v: z.literal(format), plugin: z.string() });
const lastSchema = z.object({ end: z.literal(true) });

/** Thousands of apps with what belongs to each. */
const linesAtMost = 200_000;
/** Of an answer about one app or one database, which is read in one turn of the loop. */
export const linesOfOne = 4_000;

/**
 * The values of an answer of Homeport's plugin between its first and its last line, each read when it is asked for, and the
 * version of the plugin. A line that is no JSON is undefined: a file of Dokku that the plugin passes on may be damaged.
 *
 * @throws UnreadableOutputError for another format, for an answer without its end, and for one of more than `most` lines
 */
export function readTold(
  what: string,
  text: string,
  most = linesAtMost,
): { plugin: string; values: Iterable<unknown> } {
  if (hasMoreLines(text, most)) throw new UnreadableOutputError(what, text);
  const [first = '', ...lines] = text.split('\n').filter((line) => line.startsWith('{'));
  const begin = firstSchema.safeParse(parsed(first));
  if (!begin.success || !lastSchema.safeParse(parsed(lines.pop() ?? '')).success)
    throw new UnreadableOutputError(what, text);
  return { plugin: begin.data.plugin, values: valuesOf(lines) };
}

function* valuesOf(lines: readonly string[]): Generator<unknown> {
  for (const line of lines) yield parsed(line);
}

function hasMoreLines(text: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && count <= most; at = text.indexOf('\n', at + 1)) count += 1;
  return count > most;
}

/** The values that have this shape, in order. */
export function those<T>(values: Iterable<unknown>, schema: z.ZodType<T>): T[] {
  return [...values].flatMap((value) => {
    const read = schema.safeParse(value);
    return read.success ? [read.data] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
