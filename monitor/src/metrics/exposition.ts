import { mapInTurns } from './in-turns.ts';

/** One metric of Prometheus’ text format 0.0.4, with its samples. */
export type Metric = { name: string; help: string; type: 'gauge' | 'counter'; samples: Sample[] };
export type Sample = { labels: Readonly<Record<string, string>>; value: number };

/** What a scraper needs to know the format. Prometheus 3 refuses an answer of another type. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** The text of an exposition. A metric without samples is left out. No sample has a time: that would hide when a series ends. */
export async function writeExposition(metrics: readonly Metric[]): Promise<string> {
  const measured = metrics.filter(({ samples }) => samples.length > 0);
  return (await mapInTurns(measured, 1, metricText)).join('');
}

function metricText({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`);
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Names and texts of people stand in label values only. */
const escapeValue = (text: string) => escapeHelp(text).replaceAll('"', '\\"');
const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
