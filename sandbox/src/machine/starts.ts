import { appendFileSync, existsSync } from 'node:fs';
import { cpuSecondsOf } from './cost.ts';
import { readText, writeText } from './files.ts';
import type { Paths } from './paths.ts';

/** One start of `dokku`, and what it would take a real server. */
export type Start = { command: string; cpuSeconds: number };

export function beginCounting(paths: Paths): void {
  writeText(paths.starts, '');
}

/** Writes the start down if the sandbox counts. */
export function countStart(paths: Paths, command: string, words: readonly string[]): void {
  if (!existsSync(paths.starts)) return;
  const start: Start = { command, cpuSeconds: cpuSecondsOf(command, words) };
  appendFileSync(paths.starts, `${JSON.stringify(start)}\n`);
}

export function readStarts(paths: Paths): Start[] {
  const lines = readText(paths.starts)?.split('\n') ?? [];
  return lines.filter((line) => line !== '').map((line): Start => JSON.parse(line));
}
