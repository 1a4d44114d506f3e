import { type Aggregate, aggregates } from '@homeport/contract/horizons';
import { bucketSql, columnType, metricsOf, type SeriesKind } from './metrics.ts';

/** The raw columns, in the order of a statement's array parameters. */
export function rawColumns(kind: SeriesKind): { name: string; type: string }[] {
  return [
    { name: 'series', type: 'integer' },
    { name: 'ts', type: 'bigint' },
    { name: 'seconds', type: 'integer' },
    { name: 'rx', type: 'bigint' },
    { name: 'tx', type: 'bigint' },
    ...metricsOf[kind].map((name) => ({ name, type: columnType(name) })),
  ];
}

/** `unnest($4::integer[], …) as fresh (series, …)`, where `first` is the number of the first parameter. */
export function arrivingRows(kind: SeriesKind, first: number): string {
  const columns = rawColumns(kind);
  const arrays = columns.map(({ type }, index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) as fresh (${names(columns)})`;
}

/** Whether the rows to roll up may hold several rows of one series, or one at most. */
export type RowsEach = 'several' | 'one';

/**
 * The common table expressions that add rows to the raw table, and add the rows that were new to all roll-ups. `source` selects
 * the rows to insert, with the raw columns in their order.
 */
export function keepAndRollUp(kind: SeriesKind, source: string, each: RowsEach = 'several'): string {
  const raw = `kept_raw as (
    insert into series.${kind}_raw (${names(rawColumns(kind))}) ${source}
    on conflict do nothing returning *)`;
  return [
    raw,
    ...aggregates.map((horizon) => `${horizon} as (${rollUp(kind, horizon, 'kept_raw', each)})`),
  ].join(',\n');
}

/**
 * Adds the rows of `from` to one roll-up. Sums, weights, minimum and maximum can be merged in any order. If each series has one
 * row, no grouping is needed, which saves a fifth of PostgreSQL's time.
 */
export function rollUp(
  kind: SeriesKind,
  horizon: Aggregate,
  from: string,
  each: RowsEach = 'several',
): string {
  const gather =
    each === 'several'
      ? (call: string, value: string) => `${call}(${value})`
      : (_: string, value: string) => value;
  const parts = metricsOf[kind].flatMap((metric) => [
    {
      name: `${metric}_weight`,
      make: gather('sum', `case when ${metric} is null then 0 else seconds end`),
      merge: add(`${metric}_weight`),
    },
    {
      name: `${metric}_sum`,
      make: `coalesce(${gather('sum', `${metric}::double precision * seconds`)}, 0)`,
      merge: add(`${metric}_sum`),
    },
    { name: `${metric}_min`, make: gather('min', metric), merge: pick('least', `${metric}_min`) },
    { name: `${metric}_max`, make: gather('max', metric), merge: pick('greatest', `${metric}_max`) },
  ]);
  const columns = [
    { name: 'n', make: gather('sum', '1'), merge: add('n') },
    { name: 'seconds', make: gather('sum', 'seconds'), merge: add('seconds') },
    ...['rx', 'tx'].map((name) => ({
      name,
      make: gather('sum', name),
      merge: `coalesce(kept.${name} + excluded.${name}, kept.${name}, excluded.${name})`,
    })),
    ...parts,
  ];
  const grouped = each === 'several' ? 'group by 1, 2' : '';
  return `insert into series.${kind}_${horizon} as kept (series, ts, ${names(columns)})
    select series, ${bucketSql[horizon]}, ${columns.map(({ make }) => make).join(', ')} from ${from} ${grouped}
    on conflict (series, ts) do update set ${columns.map(({ name, merge }) => `${name} = ${merge}`).join(', ')}`;
}

const add = (name: string) => `kept.${name} + excluded.${name}`;
const pick = (which: 'least' | 'greatest', name: string) => `${which}(kept.${name}, excluded.${name})`;

function names(columns: readonly { name: string }[]): string {
  return columns.map(({ name }) => name).join(', ');
}
