import { expect, test } from 'vitest';
import { testDatabase } from '../testing.ts';
import { tendPartitions } from './partitions.ts';
import { chartQuery } from './read-chart.ts';

const now = Date.UTC(2026, 0, 15, 12, 30);
const dayMs = 86_400_000;

test('a range reads only the partitions of its time, by the index of the series', async () => {
  await using database = await testDatabase();
  const { pool, db } = database.store;
  await tendPartitions(pool, now);
  const { sql: text, parameters } = chartQuery({
    kind: 'server',
    series: 7,
    measure: 'cpu',
    source: 'hourly',
    stepMs: 7_200_000,
    from: now - 20 * dayMs,
    to: now,
  }).compile(db);
  const client = await pool.connect();
  try {
    // Empty tables are read as a whole, unless that is made expensive.
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const read = [...plan.matchAll(/on (server_hourly_\d+)/g)].map(([, name]) => name);
    expect([...new Set(read)].sort()).toEqual(['server_hourly_202512', 'server_hourly_202601']);
    expect(plan).toMatch(/Index Cond: \(\(series = 7\) AND \(ts >= /);
    expect(plan).not.toContain('Seq Scan');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
