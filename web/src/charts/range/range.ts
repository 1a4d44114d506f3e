import { chartSpanSeconds } from '@homeport/contract/charts/facts';

/** What a chart shows. Without an end it follows the newest point. */
export interface ShownRange {
  spanSeconds: number;
  to: number | null;
}

/** The range as it stands in the page's address: a length up to now, or two moments in ISO 8601. */
export interface RangeSearch {
  last?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const hour = 3_600;
const day = 24 * hour;

export const presets = [
  { value: '1h', label: '1 h', seconds: hour },
  { value: '6h', label: '6 h', seconds: 6 * hour },
  { value: '24h', label: '24 h', seconds: day },
  { value: '7d', label: '7 d', seconds: 7 * day },
  { value: '30d', label: '30 d', seconds: 30 * day },
  { value: '90d', label: '90 d', seconds: 90 * day },
  { value: '1y', label: '1 y', seconds: 365 * day },
] as const;

/** An address that says nothing, or nothing that can be read, shows the last 24 hours. */
export function rangeOf({ last, from, to }: RangeSearch): ShownRange {
  const [begin, end] = [from, to].map((text) => Date.parse(text ?? ''));
  if (begin !== undefined && end !== undefined && begin < end) return rangeBetween(begin, end);
  const preset = presets.find(({ value }) => value === last);
  return { spanSeconds: preset?.seconds ?? chartSpanSeconds.byDefault, to: null };
}

/** The range between two moments, widened around its middle to the shortest one, or cut to the longest one. */
export function rangeBetween(from: number, to: number): ShownRange {
  const seconds = Math.round((to - from) / 1000);
  const spanSeconds = Math.min(chartSpanSeconds.most, Math.max(chartSpanSeconds.least, seconds));
  const middle = (from + to) / 2;
  const end = seconds < chartSpanSeconds.least ? middle + (spanSeconds * 1000) / 2 : to;
  return { spanSeconds, to: Math.max(0, Math.round(end / 1000) * 1000) };
}

export function searchOf({ spanSeconds, to }: ShownRange): RangeSearch {
  if (to === null) return { last: presets.find(({ seconds }) => seconds === spanSeconds)?.value };
  return { from: iso(to - spanSeconds * 1000), to: iso(to) };
}

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** The moment as a field of type `datetime-local` holds it: in the reader's time zone, to the minute. */
export function fieldText(at: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Why two typed moments are no range, or the range. */
export function readTyped(from: string, to: string): { range: ShownRange } | { wrong: string } {
  const [begin, end] = [new Date(from).getTime(), new Date(to).getTime()];
  if (Number.isNaN(begin) || Number.isNaN(end)) return { wrong: 'Enter a date and a time in both fields.' };
  if (begin >= end) return { wrong: 'The end has to be after the begin.' };
  const seconds = (end - begin) / 1000;
  if (seconds < chartSpanSeconds.least) return { wrong: 'A chart shows an hour at least.' };
  if (seconds > chartSpanSeconds.most) return { wrong: 'A chart shows a year at most.' };
  return { range: rangeBetween(begin, end) };
}
