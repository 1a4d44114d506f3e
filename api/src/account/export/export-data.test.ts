import type { SessionIdentity } from '@homeport/contract/services';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { plantOneOfEach } from '../../testing/plant.ts';
import { exportData } from './export-data.ts';
import { notExported } from './not-exported-fixture.ts';
import { exportParts } from './parts.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  await api.signUp('owner-of-all');
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** Every table of the store with its columns. Partitions are parts of their table. */
async function tablesOfStore(): Promise<Map<string, { name: string; type: string }[]>> {
  const { rows } = await sql<{ schema: string; table: string; columns: { name: string; type: string }[] }>`
    select n.nspname as schema, c.relname as table,
           (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)))
              from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`.execute(api.store.db);
  return new Map(
    rows.map(({ schema, table, columns }) => [schema === 'public' ? table : `${schema}.${table}`, columns]),
  );
}

const fileOf = async (person: TestPerson) => {
  const headers = { cookie: person.cookie() };
  const answer = await fetch(`${api.url}/api/profile/export`, { headers });
  return { answer, text: await answer.text() };
};

const sessionOf = ({ userId, email }: TestPerson): SessionIdentity => ({
  userId,
  sessionId: userId,
  name: 'Ada',
  email,
  emailVerified: true,
});

describe('every table of the store', () => {
  it('is exported, or has a reason why not', async () => {
    const exported = exportParts.map(({ table }) => table);
    const found = [...(await tablesOfStore()).keys()].map((name) =>
      /^series\./.test(name) ? 'series' : name,
    );
    expect([...new Set(found)].sort()).toEqual([...exported, ...Object.keys(notExported)].sort());
  });

  it('gives each of its columns to the file, or names it as withheld', async () => {
    const tables = await tablesOfStore();
    for (const { table, columns, withheld = [] } of exportParts) {
      const inStore = (tables.get(table) ?? []).map(({ name }) => name).filter((name) => name !== 'owner_id');
      expect({ [table]: [...columns, ...withheld].sort() }).toEqual({ [table]: inStore.sort() });
    }
  });

  it('gives no column of bytes, and none that is named like a secret', async () => {
    const tables = await tablesOfStore();
    const secret = /hash|token|password|sealed|pepper|secret/i;
    // A time, not the secret itself.
    for (const { table, columns } of exportParts)
      for (const { name, type } of tables.get(table) ?? [])
        if (columns.includes(name) && !/_at$|At$/.test(name))
          expect({ table, name, type, secret: type === 'bytea' || secret.test(name) }).toMatchObject({
            secret: false,
          });
  });
});

describe('the export', () => {
  it('holds the person’s records of every kind, and nothing of anybody else', async () => {
    const ada = await api.signUp('ada-export');
    const eve = await api.signUp('eve-export');
    // A backup of the console is nobody's, and a terminal that waits is not exported.
    const { backups: _, device: _waits, ...hers } = await plantOneOfEach(api.store.db, ada.userId);
    const others = await plantOneOfEach(api.store.db, eve.userId);
    const { answer, text } = await fileOf(ada);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="homeport-[\d-]+\.json"$/,
    );
    expect(JSON.parse(text)).toMatchObject({
      format: 'homeport-export-1',
      account: [{ id: ada.userId, email: ada.email, createdAt: expect.any(Number) }],
      servers: [{ id: hers.servers }],
      zones: [{ id: hers.zones }],
    });
    for (const mine of [ada.userId, ada.email, ...Object.values(hers)]) expect(text).toContain(mine);
    for (const foreign of [eve.userId, eve.email, ...Object.values(others)])
      expect(text).not.toContain(foreign);
  });

  it('holds none of the values that are withheld', async () => {
    const ada = await api.signUp('ada-secrets');
    await plantOneOfEach(api.store.db, ada.userId);
    await api.store.db
      .updateTable('servers')
      .set({ agent_token_hash: Buffer.from('canary of the agent') })
      .where('owner_id', '=', ada.userId)
      .execute();
    const { text } = await fileOf(ada);
    let secrets = 0;
    for (const { table, withheld = [], mine } of exportParts)
      for (const column of withheld) {
        const { rows } = await sql<{ value: string | Buffer | null }>`
          select ${sql.id(column)} as value from ${sql.table(table)} t where ${mine(ada.userId)}`.execute(
          api.store.db,
        );
        for (const { value } of rows) {
          if (value === null) continue;
          secrets += 1;
          const forms =
            typeof value === 'string'
              ? [value]
              : [value.toString('hex'), value.toString('base64'), value.toString('base64url')];
          for (const form of forms) expect(text).not.toContain(form);
        }
      }
    // The pepper, the password’s hash, two sign-ins, and the hashes and sealed bytes that were planted.
    expect(secrets).toBeGreaterThanOrEqual(7);
  });

  it('holds a list that is longer than a page as a whole, in small pieces', async () => {
    const ada = await api.signUp('ada-long');
    const { operations } = await plantOneOfEach(api.store.db, ada.userId);
    const lines = 10_001;
    await sql`insert into operation_lines (operation_id, seq, at, step, stream, text)
      select ${operations}, n, 0, 'build', 'out', repeat('x', 100) from generate_series(1, ${lines}::integer) n`.execute(
      api.store.db,
    );
    const session = sessionOf(ada);
    const deps = { store: api.store, clock: Date.now };
    const pieces: Uint8Array[] = [];
    await exportData(deps, session, new AbortController().signal).pour((piece) => {
      pieces.push(piece);
    });
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(128 * 1024);
    const { operationLines } = JSON.parse(Buffer.concat(pieces).toString()) as {
      operationLines: { seq: number }[];
    };
    expect(operationLines.map(({ seq }) => seq)).toEqual(Array.from({ length: lines }, (_, n) => n + 1));
  });

  it('reads no further when its reader has left', async () => {
    const ada = await api.signUp('ada-leaves-early');
    const session = sessionOf(ada);
    const stop = new AbortController();
    const file = exportData({ store: api.store, clock: Date.now }, session, stop.signal);
    stop.abort();
    await expect(file.pour(() => {})).rejects.toThrow();
  });
});
