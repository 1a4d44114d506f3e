import type { ChartLine } from '../lines/lines.ts';
import type { Measure } from '../lines/measures.ts';

/** A comma-separated file (RFC 4180): one line for each point of each series. */
export function csvOf(lines: readonly ChartLine[], { unit }: Pick<Measure, 'unit'>): string {
  const rows = lines.flatMap(({ name, times, average, lowest, highest }) =>
    times.map((time, index) => [
      new Date(time).toISOString(),
      cell(name),
      ...[average, lowest, highest].map((values) => String(values[index] ?? '')),
    ]),
  );
  const head = ['time', 'name', ...['average', 'lowest', 'highest'].map((word) => `${word} (${unit})`)];
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** Programs for tables take a cell that begins with one of these signs for a formula. */
const formula = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** `lantern-cpu-2026-11-23.csv`, of characters that every system accepts. */
export function chartFileName(parts: readonly string[], ending: 'csv' | 'png'): string {
  const name = parts
    .join('-')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return `${name.replace(/^-/, '').replace(/-$/, '')}.${ending}`;
}
