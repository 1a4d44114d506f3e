import { plainText } from './ansi.ts';

export interface LogLine {
  /** Counts from 1 over the whole stream; stays the line's own when earlier lines are dropped. */
  number: number;
  text: string;
  /** Epoch milliseconds, where the stream has them. */
  at?: number | null;
  /** `rule` is our own remark between the lines ("connection lost 14:06:11, back 14:06:15"); `err` came over stderr. */
  kind?: 'out' | 'err' | 'rule';
}

export interface LogState {
  lines: readonly LogLine[];
  /** Whether lines before the first were dropped. */
  dropped: boolean;
  nextNumber: number;
}

export const keptLines = 10_000;
export const emptyLog: LogState = { lines: [], dropped: false, nextNumber: 1 };

/** Adds lines at the end and keeps the newest 10,000. */
export function appendLines(log: LogState, added: readonly Omit<LogLine, 'number'>[]): LogState {
  if (added.length === 0) return log;
  const numbered = added.map((line, index) => ({ ...line, number: log.nextNumber + index }));
  const all = [...log.lines, ...numbered];
  const kept = all.length > keptLines ? all.slice(-keptLines) : all;
  return {
    lines: kept,
    dropped: log.dropped || all.length > keptLines,
    nextNumber: log.nextNumber + added.length,
  };
}

/** Cuts a raw chunk into whole lines; what is not ended yet comes back as `rest`, to be put before the next chunk. */
export function splitChunk(rest: string, chunk: string): { lines: string[]; rest: string } {
  const parts = (rest + chunk).split('\n');
  const open = parts.pop() ?? '';
  return { lines: parts.map((line) => line.replace(/\r$/, '')), rest: open };
}

/** Indexes of the lines that hold the words, without regard to case or colour codes. */
export function findLines(lines: readonly LogLine[], words: string): number[] {
  const wanted = words.toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, index) => (plainText(line.text).toLowerCase().includes(wanted) ? [index] : []));
}

/** The log as plain text, without colour codes or line numbers. */
export function logText(lines: readonly LogLine[]): string {
  return lines.map((line) => plainText(line.text)).join('\n');
}
