import { createHash } from 'node:crypto';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { copyOut, quoted, readKeptTables, readPartitions, readTables, sameText } from '../catalogue.ts';
import type { TableProof } from '../format.ts';
import { tableProof } from '../prove-table.ts';

const rowsOfEach = 3;

/** What COPY text has to escape, and what other tools trip over. */
const hostileText = ['\\N', 'a\tb\nc\\d\re', 'ü 🚢 \u0001 "quoted" \'twice\'', ''];

/** Values that a constraint or a generated column asks for. `null`: no value. */
const fixed: Readonly<Record<string, (row: number) => unknown>> = {
  'public.keys.id': (row) => createHash('md5').update(`key ${row}`).digest('hex'),
  'public.invitations.email': (row) => `person${row}@example.com`,
  'public.avatars.picture': () => 'aGVsbG8=',
  'public.linked_accounts.last_four': (row) => `${row}abc`,
  'public.notice_mutes.app_id': () => null,
  'public.notice_mutes.proxy_id': () => null,
  'public.proxies.records': (row) => JSON.stringify([{ row }, 'ü']),
  'public.operations.state': (row) => (row === 0 ? 'running' : 'succeeded'),
  'public.operations.steps': () =>
    JSON.stringify([{ key: 'build', title: 'Build', state: 'running', startedAt: 5 }]),
  'public.github_visits.purpose': () => 'link',
  'public.github_visits.browser_hash': () => null,
  'public.passkey_challenges.browser_hash': () => null,
  'public.console_backup_plan.one': () => true,
  'public.console_backups.proof': () => 'failed',
  'public.console_backups.copy_state': () => 'copied',
  'public.restorations.one': () => true,
  'public.notice_timed_mutes.server_id': () => null,
  'public.notice_timed_mutes.app_id': () => null,
  'public.notice_messages.repeats': (row) =>
    row === 0 ? null : ['5f0c1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e', '0d5e1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e'],
  'public.notice_messages.state': (row) => (row === 0 ? 'waiting' : 'sent'),
  'public.notice_deliveries.message_id': () => null,
  'public.notice_destinations.per_hour': (row) => 2 + row,
  'public.notice_destinations.repeat_hours': (row) => (row === 0 ? null : row),
  // A page that was taken down is not published.
  'public.status_pages.published': (row) => row === 0,
  'public.status_pages.taken_down': (row) => (row === 0 ? null : hostileText[row]),
  // A component is an app or a proxy.
  'public.status_components.proxy_id': () => null,
  // An incident has no times, and a maintenance ends after it begins.
  'public.status_posts.kind': (row) => (row === 0 ? 'incident' : 'maintenance'),
  'public.status_posts.starts_at': (row) => (row === 0 ? null : row),
  'public.status_posts.ends_at': (row) => (row === 0 ? null : row + 1),
};

/** Tables of one row. */
const lone = new Set(['public.console_backup_plan', 'public.restorations']);

type Column = { name: string; type: string; words: string | null };

/** Puts generated rows into every table and partition, whose keys name rows that are there. Needs a superuser. */
export async function fillTables(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica');
  const bounds = new Map(
    (await readPartitions(client)).map(({ of, name, from }) => [`${of.split('.')[0]}.${name}`, from]),
  );
  for (const { name, columns } of await inOrderOfKeys(client)) {
    const types = await columnsOf(client, name);
    const keys = await keysOf(client, name);
    const rows = lone.has(name) ? 1 : rowsOfEach;
    for (let row = 0; row < rows; row += 1) {
      const values = columns.map((column) => {
        const own = fixed[`${name}.${column}`];
        const type = types.find((each) => each.name === column);
        if (own || !type) return own?.(row);
        if (keys.has(column)) return null;
        const from = column === 'ts' ? bounds.get(name) : undefined;
        return from === undefined ? generated(`${name}.${column}`, type, row) : Number(from) + row;
      });
      const sources = columns.map((column, index) => {
        const key = fixed[`${name}.${column}`] ? undefined : keys.get(column);
        return key === undefined
          ? `$${index + 1}`
          : `coalesce($${index + 1}, (select ${pg.escapeIdentifier(key.column)} from ${quoted(key.table)} order by ctid offset ${row} limit 1))`;
      });
      await client.query(
        `insert into ${quoted(name)} (${columns.map(pg.escapeIdentifier).join(', ')}) overriding system value
         values (${sources.map((source, index) => `${source}${cast(types, columns[index])}`).join(', ')})`,
        values,
      );
    }
  }
  for (const { name } of (await client.query<{ name: string }>(sequences)).rows)
    await client.query('select setval($1::regclass, 4711)', [quoted(name)]);
  await client.query('set session_replication_role = origin');
}

/** The proof of each kept table, as a backup writes it. */
export async function proofsOf(client: pg.Client): Promise<Record<string, TableProof>> {
  await client.query('begin');
  await client.query(sameText);
  const proofs: Record<string, TableProof> = {};
  for (const table of await readKeptTables(client)) {
    const proof = tableProof();
    for await (const chunk of client.query(copyTo(copyOut(table)))) proof.add(chunk as Buffer);
    proofs[table.name] = proof.end();
  }
  await client.query('commit');
  return proofs;
}

const sequences = `select schemaname || '.' || sequencename as name from pg_sequences where schemaname in ('public', 'auth', 'series')`;

function cast(types: readonly Column[], column: string | undefined): string {
  const type = types.find(({ name }) => name === column)?.type;
  return type === undefined ? '' : `::${type}`;
}

function generated(path: string, { type, words }: Column, row: number): unknown {
  const word = words?.match(/'([^']+)'/g)?.map((each) => each.slice(1, -1));
  if (word) return word[row % word.length];
  const hash = createHash('md5').update(`${path} ${row}`).digest('hex');
  switch (type) {
    case 'uuid':
      return hash;
    case 'text':
      return `${hash} ${hostileText[row % hostileText.length]}`;
    case 'integer':
    case 'bigint':
    case 'smallint':
      return row + 1;
    case 'real':
    case 'double precision':
      return 1 / (row + 3);
    case 'boolean':
      return row % 2 === 0;
    case 'jsonb':
      return JSON.stringify({ row, text: hostileText[1] });
    case 'timestamp with time zone':
      return new Date(1_700_000_000_123 + row);
    case 'bytea':
      return Buffer.from(hash, 'hex');
    case 'text[]':
      return [`${hash}`, hostileText[1]];
    default:
      throw new Error(`${path} has the type ${type}, for which there is no generated value.`);
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'c'
         and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%= ANY%' limit 1) as words
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [quoted(table)],
  );
  return rows;
}

/** Each column of a foreign key, and the column that it names. */
async function keysOf(
  client: pg.Client,
  table: string,
): Promise<Map<string, { table: string; column: string }>> {
  const { rows } = await client.query<{ own: string; table: string; column: string }>(
    `select a.attname as own, n.nspname || '.' || c.relname as table, f.attname as column
     from pg_constraint k cross join unnest(k.conkey, k.confkey) as pair (own, theirs)
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own
       join pg_attribute f on f.attrelid = k.confrelid and f.attnum = pair.theirs
       join pg_class c on c.oid = k.confrelid join pg_namespace n on n.oid = c.relnamespace
     where k.conrelid = $1::regclass and k.contype = 'f' order by array_length(k.conkey, 1), k.conname`,
    [quoted(table)],
  );
  return new Map(rows.map(({ own, table: of, column }) => [own, { table: of, column }]));
}

/** A table after those that it names. */
async function inOrderOfKeys(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const tables = await readTables(client);
  const left = new Map(
    tables.filter(({ of }) => of !== 'public.migration').map((table) => [table.name, table]),
  );
  const ordered: { name: string; columns: string[] }[] = [];
  while (left.size > 0) {
    const before = left.size;
    for (const [name, table] of left) {
      const named = [...(await keysOf(client, name)).values()].filter((key) => key.table !== name);
      if (named.some((key) => left.has(key.table))) continue;
      ordered.push(table);
      left.delete(name);
    }
    if (left.size === before) throw new Error(`These tables name each other: ${[...left.keys()].join(', ')}`);
  }
  return ordered;
}
