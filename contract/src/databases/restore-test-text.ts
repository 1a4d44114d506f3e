import type { DatabaseTypeName } from './types/database-types.ts';
import { databaseTypeOf } from './types/database-types.ts';

/** `3 tables, 120 rows`, or `120 keys`. */
export function countsText(
  type: DatabaseTypeName,
  { parts, entries }: { parts: number; entries: number },
): string {
  return textOf(type, parts, number(entries), entries === 1);
}

/** As `countsText`, with `between 118 and 120 rows` where something was written while the dump was made. */
export function expectedText(
  type: DatabaseTypeName,
  { parts, least, most }: { parts: number; least: number; most: number },
): string {
  const entries = least === most ? number(most) : `between ${number(least)} and ${number(most)}`;
  return textOf(type, parts, entries, least === most && most === 1);
}

function textOf(type: DatabaseTypeName, parts: number, entries: string, isOne: boolean): string {
  const { dump } = databaseTypeOf(type);
  if (dump.kind === 'none') return '';
  const held = `${entries} ${dump.counts.entries}${isOne ? '' : 's'}`;
  if (dump.counts.parts === null) return held;
  return `${number(parts)} ${dump.counts.parts}${parts === 1 ? '' : 's'}, ${held}`;
}

const number = (count: number) => count.toLocaleString('en-US');
