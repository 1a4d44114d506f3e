import { safeJson } from '@homeport/contract/fields/safe-json';
import type { Terminal } from '../terminal.ts';
import { oneLine } from './safe-text.ts';

type Printed = Pick<Terminal, 'out' | 'isRead'>;

/** For a person: columns with headings. For a program: fields between tabs, without headings. */
export async function printTable(
  { out, isRead }: Printed,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const cells = rows.map((row) => row.map(oneLine));
  if (!isRead) {
    for (const row of cells) await out(`${row.join('\t')}\n`);
    return;
  }
  const lines = [headings.map((heading) => heading.toUpperCase()), ...cells];
  const widths = headings.map((_heading, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  for (const line of lines)
    await out(
      `${line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

/** One fact a line. */
export async function printFacts(
  { out, isRead }: Printed,
  facts: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts)
    await out(isRead ? `${name.padEnd(width)}  ${oneLine(value)}\n` : `${name}\t${oneLine(value)}\n`);
}

/** One document, or one line of a stream. `text` is JSON. */
export const printJson = ({ out }: Pick<Terminal, 'out'>, text: string) =>
  out(`${safeJson(text.trimEnd())}\n`);
