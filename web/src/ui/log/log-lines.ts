import { plainText } from './ansi.ts';

export interface LogLine {
  /**
   * Counts from 1 over the whole stream without a gap. A line keeps its number when earlier lines are
   * dropped.
   */
  number: number;
  text: string;
  /** Epoch milliseconds, if the stream has them. */
  at?: number | null;
  /**
   * `rule` is the page's own remark between the lines ("connection lost 14:06:11, back 14:06:15"). `err` came
   * from stderr.
   */
  kind?: 'out' | 'err' | 'rule';
}

export interface LogState {
  lines: readonly LogLine[];
  /** Whether earlier lines were dropped. */
  dropped: boolean;
  nextNumber: number;
}

export const keptLines = 10_000;
export const emptyLog: LogState = { lines: [], dropped: false, nextNumber: 1 };

/** Adds lines at the end and keeps the newest lines, by default 10,000. */
export function appendLines(
  log: LogState,
  added: readonly Omit<LogLine, 'number'>[],
  keep = keptLines,
): LogState {
  if (added.length === 0) return log;
  const numbered = added.map((line, index) => ({ ...line, number: log.nextNumber + index }));
  const over = log.lines.length + numbered.length - keep;
  const before = over > 0 ? log.lines.slice(over) : log.lines;
  return {
    lines: before.concat(over > log.lines.length ? numbered.slice(-keep) : numbered),
    dropped: log.dropped || over > 0,
    nextNumber: log.nextNumber + added.length,
  };
}

/** The log as plain text, without colour codes or line numbers. */
export function logText(lines: readonly LogLine[]): string {
  return lines.map(lineText).join('\n');
}

export const lineText = ({ text }: LogLine) => plainText(text);

const gatheredAtOnce = 5_000;

/** Joins the text of many lines in slices, so that the page's other work runs in between. */
export async function gatherText(
  lines: readonly LogLine[],
  textOf: (line: LogLine) => string,
): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < lines.length; from += gatheredAtOnce) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve, 0));
    parts.push(
      lines
        .slice(from, from + gatheredAtOnce)
        .map(textOf)
        .join('\n'),
    );
  }
  return parts.join('\n');
}
