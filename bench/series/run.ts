import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerStats } from '@homeport/contract/monitor';
import { createMonitor, type Monitor, simulateFleet } from '@homeport/monitor';
import { openStore, type Store } from '@homeport/store';
import Fastify, { type FastifyInstance } from 'fastify';
import { figure, median, tidy } from '../figure.ts';
import { fillYear, historyDays } from './fill.ts';

const few = 10;
const many = 1_000;
const rounds = 300;
/** Of a list that is a hundred times as long. */
const longRounds = 30;
/** How much longer a page may take with many servers in the store than with few. */
const ratioAtMost = 1.2;

/**
 * One person has ten servers. Their list and a server's page are timed alone in the store, and again after another
 * person's servers have made it a thousand, each with a year of reports. Requests go through the routes, without a network.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  // The embedded PostgreSQL runs as another account than root.
  execFileSync('chmod', ['755', folder]);
  const store = await openStore({ dataFolder: folder });
  const app = Fastify();
  try {
    const monitor = await createMonitor({ store, identify: visitor, log: app.log });
    await monitor.register(app);
    const [small, large] = [await addPerson(store, 'small'), await addPerson(store, 'large')];
    await fill(store, app, monitor, small, few);
    const alone = await time(app, small);
    const seconds = await fill(store, app, monitor, large, many - few);
    const among = await time(app, small);
    await monitor.close();

    figure({
      what: `series: ${historyDays} days of ${many - few} servers filled in`,
      value: `${tidy(seconds)} s`,
    });
    compare(`series: list of ${few} servers`, alone.list, among.list);
    compare('series: page of one server', alone.page, among.page);
    const crowd = await time(app, large);
    figure({ what: `series: list of ${many - few} servers`, value: `${tidy(crowd.list)} ms` });
    compare(`series: page of one server of ${many - few} of one’s own`, alone.page, crowd.page);
  } finally {
    await app.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}

function visitor(request: { headers: Record<string, unknown> }) {
  return { userId: String(request.headers['x-user']), sessionId: 'bench' };
}

async function addPerson({ pool }: Store, name: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into auth."user" (name, email, "emailVerified") values ($1, $2, true) returning id`,
    [name, `${name}@example.com`],
  );
  return rows[0]?.id ?? '';
}

/** Seconds until the servers stand there with their past. */
async function fill(
  store: Store,
  app: FastifyInstance,
  { ingest }: Monitor,
  ownerId: string,
  count: number,
): Promise<number> {
  const begin = performance.now();
  const fleet = await simulateFleet({ store, ingest, ownerId, count, historyDays: 0, log: app.log });
  fleet.close();
  const { rows } = await store.pool.query<{ id: number; mine: boolean }>(
    `select s.id, v.owner_id = $1 as mine from series.server s join servers v on v.id = s.server_id order by s.id`,
    [ownerId],
  );
  const [model] = rows;
  const mine = rows.filter((row) => row.mine).map(({ id }) => id);
  await fillYear(store, mine, model?.id ?? 0);
  const seconds = (performance.now() - begin) / 1000;
  // What autovacuum would do within minutes; a plan made without statistics would be measured instead.
  await store.pool.query('vacuum analyze');
  return seconds;
}

/** Medians in milliseconds. */
async function time(app: FastifyInstance, ownerId: string): Promise<{ list: number; page: number }> {
  const headers = { 'x-user': ownerId };
  const answers = await app.inject({ url: '/monitor/dumps', headers });
  const keys = answers.json<ServerStats[]>().map(({ key }) => key);
  const ask = async (url: string) => {
    const begin = performance.now();
    const { statusCode } = await app.inject({ url, headers });
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    return performance.now() - begin;
  };
  // One kind after the other, so that a page does not pay for the garbage of a long list; the first tenth warms up.
  const medianOf = async (rounds: number, url: (round: number) => string) => {
    const spent: number[] = [];
    for (let round = 0; round < rounds; round++) spent.push(await ask(url(round)));
    return median(spent.slice(rounds / 10));
  };
  return {
    list: await medianOf(keys.length > few ? longRounds : rounds, () => '/monitor/dumps'),
    page: await medianOf(rounds, (round) => `/monitor/dump/${keys[round % keys.length]}`),
  };
}

function compare(what: string, before: number, after: number): void {
  figure({
    what: `${what}, ${many} servers in the store instead of ${few}`,
    value: `${tidy(after)} ms instead of ${tidy(before)} ms`,
    budget: `≤ ${ratioAtMost} times`,
    kept: after <= before * ratioAtMost,
  });
}

await main();
