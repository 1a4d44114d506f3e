import { setTimeout as pause } from 'node:timers/promises';
import { proxyPace } from '@homeport/contract/proxies/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import { sql } from 'kysely';
import type { FileAnswer } from '../../http/file-answer.ts';
import { type ExportPart, exportParts } from './parts.ts';

/** Rows that are in memory at once. */
const rowsAtOnce = ({ hasLargeRows }: ExportPart) => (hasLargeRows ? 1 : 200);
/** The file goes out in pieces of about this many bytes. */
const pieceBytes = 64 * 1024;

type Deps = { store: Store; clock: () => number };
type Row = Record<string, unknown>;

/**
 * Everything that the store holds of the person, as one JSON file, without secrets. Each page of rows is a query
 * of its own, so that a slow reader holds no connection of the store. A record that changes meanwhile is in the
 * file as it was when its page was read. A file that breaks off is no JSON, so nobody takes it for a whole one.
 */
export function exportData(
  { store, clock }: Deps,
  session: SessionIdentity,
  signal: AbortSignal,
): FileAnswer {
  const owner = ownerFromSession(session.userId);
  const at = clock();
  return {
    name: `homeport-${new Date(at).toISOString().slice(0, 10)}.json`,
    bytes: null,
    type: 'application/json',
    async pour(take) {
      let piece = '';
      for await (const text of textOfExport(store, owner, at)) {
        signal.throwIfAborted();
        piece += text;
        if (piece.length < pieceBytes) continue;
        await take(Buffer.from(piece));
        piece = '';
      }
      await take(Buffer.from(piece));
    },
  };
}

async function* textOfExport(store: Store, owner: Owner, at: number): AsyncGenerator<string> {
  yield `{\n"format": "homeport-export-1",\n"exportedAt": ${at}`;
  for (const part of exportParts) {
    yield `,\n${JSON.stringify(part.name)}: [`;
    let between = '\n';
    for await (const row of rowsOf(store, owner, part)) {
      const text = JSON.stringify(row);
      yield between + text;
      between = ',\n';
      if (text.length > pieceBytes) await pause((text.length / proxyPace.bytesPerSecond) * 1_000);
    }
    yield ']';
  }
  yield '\n}\n';
}

async function* rowsOf(store: Store, owner: Owner, part: ExportPart): AsyncGenerator<Row> {
  let after: unknown[] | null = null;
  for (;;) {
    const page: { row: Row; after: unknown[] }[] = await readPage(store, owner, part, after);
    for (const { row } of page) yield row;
    after = page.at(-1)?.after ?? null;
    if (page.length < rowsAtOnce(part) || after === null) return;
  }
}

/** The next rows by the table's key. The key's values stand beside each row, because a row may lack them. */
function readPage(store: Store, owner: Owner, part: ExportPart, after: unknown[] | null) {
  const of = (names: readonly string[]) => names.map((name) => sql`t.${sql.id(name)}`);
  const key = sql.join(of(part.key));
  const next = after === null ? sql`true` : sql`(${key}) > (${sql.join(after)})`;
  return store.read(owner, async ({ db }) => {
    const { rows } = await sql<Row>`
      select ${sql.join(of(part.columns))}, ${sql.join(part.key.map((name, n) => sql`t.${sql.id(name)} as ${sql.id(keyColumn(n))}`))}
        from ${sql.table(part.table)} t where ${part.mine(owner)} and ${next} order by ${key} limit ${rowsAtOnce(part)}`.execute(
      db,
    );
    return rows.map((found) => ({
      row: Object.fromEntries(part.columns.map((name) => [name, asJson(found[name])])),
      after: part.key.map((_name, n) => found[keyColumn(n)]),
    }));
  });
}

const keyColumn = (n: number) => `key ${n}`;

/** Every time in the file is in epoch milliseconds. */
const asJson = (value: unknown) => (value instanceof Date ? value.getTime() : value);
