import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { createMonitor, type Monitor, simulateFleet } from '@homeport/monitor';
import { openStore, type Store } from '@homeport/store';
import Fastify, { type FastifyInstance } from 'fastify';
import { figure, median, tidy } from '../figure.ts';
import { fillYear, historyDays } from './fill.ts';

const few = 10;
const many = 1_000;
const rounds = 300;
/** For a list that is a hundred times as long. */
const longRounds = 30;
/** How much longer a page may take with many servers in the store than with few. */
const ratioAtMost = 1.2;

/** What a large chart may take. */
const chartMsAtMost = 50;

type Console = {
  store: Store;
  app: FastifyInstance;
  monitor: Monitor;
  owner: string;
  close(): Promise<void>;
};

/**
 * Compares two consoles. One holds a person's ten servers; the other holds the same and 990 of another person. Each server has a
 * year of reports. Requests go through the routes, without a network, to both consoles in turn, so that other work on the machine
 * slows both alike.
 */
async function main(): Promise<void> {
  const small = await openConsole();
  const large = await openConsole();
  try {
    await fill(small, small.owner, few);
    await fill(large, large.owner, few);
    const other = await addPerson(large.store, 'other');
    const seconds = await fill(large, other, many - few);
    figure({
      what: `series: ${historyDays} days of ${many - few} servers filled in`,
      value: `${tidy(seconds)} s`,
    });
    const [alone, among, crowd] = [
      { console: small, owner: small.owner },
      { console: large, owner: large.owner },
      { console: large, owner: other },
    ] as const;
    const list = () => '/monitor/dumps';
    await compare(`series: list of ${few} servers`, [alone, list], [among, list]);
    await compare('series: page of one server', [alone, await pages(alone)], [among, await pages(among)]);
    await compare(
      `series: page of one server of ${many - few} of one’s own`,
      [alone, await pages(alone)],
      [crowd, await pages(crowd)],
    );
    await chartYear(alone, among, crowd);
    const long: number[] = [];
    for (let round = 0; round < longRounds; round++) long.push(await ask(crowd, list()));
    figure({ what: `series: list of ${many - few} servers`, value: `${tidy(median(long))} ms` });
  } finally {
    await small.close();
    await large.close();
  }
}

async function openConsole(): Promise<Console> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  // The embedded PostgreSQL does not run as root and has to pass through the folder.
  execFileSync('chmod', ['755', folder]);
  const store = await openStore({ dataFolder: folder });
  const app = Fastify();
  const monitor = await createMonitor({ store, identify: visitor, log: app.log });
  await monitor.register(app);
  return {
    ...{ store, app, monitor },
    owner: await addPerson(store, 'person'),
    async close() {
      await app.close();
      await monitor.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
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

/** Adds the servers with their history. Returns the seconds that it took. */
async function fill({ store, app, monitor }: Console, ownerId: string, count: number): Promise<number> {
  const begin = performance.now();
  const { ingest } = monitor;
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
  // Autovacuum would do this within minutes. Without statistics PostgreSQL would choose other plans.
  await store.pool.query('vacuum analyze');
  return seconds;
}

type Visitor = { console: Console; owner: string };
type Url = (round: number) => string;

/** The addresses of the servers' pages, one after the other. */
async function pages({ console: { app }, owner }: Visitor): Promise<Url> {
  const answers = await app.inject({ url: '/monitor/dumps', headers: { 'x-user': owner } });
  const keys = answers.json<ServerStats[]>().map(({ key }) => key);
  return (round) => `/monitor/dump/${keys[round % keys.length]}`;
}

/** A large chart: one measure of a year, of one server among many. */
async function chartYear(alone: Visitor, among: Visitor, crowd: Visitor): Promise<void> {
  const year = async (visitor: Visitor): Promise<Url> => {
    const page = await pages(visitor);
    return (round) => `${page(round)}/series?spanSeconds=${historyDays * 24 * 3_600}`;
  };
  const what = 'series: a chart of a year of one server';
  await compare(what, [alone, await year(alone)], [among, await year(among)]);
  const url = await year(crowd);
  const spent: number[] = [];
  for (let round = 0; round < rounds; round++) spent.push(await ask(crowd, url(round)));
  const ms = spent.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)] ?? 0;
  figure({
    what: `${what} of ${many - few} of one’s own, 19 of 20 answers`,
    value: `${tidy(ms)} ms`,
    budget: `≤ ${chartMsAtMost} ms`,
    kept: ms <= chartMsAtMost,
  });
}

let asked = 0;

/** Sends a request. Returns the milliseconds that it took. */
async function ask({ console: { app }, owner }: Visitor, url: string): Promise<number> {
  asked += 1;
  // The monitor limits the requests of one address in a minute.
  const remoteAddress = `10.0.${(asked >> 8) & 255}.${asked & 255}`;
  const begin = performance.now();
  const { statusCode } = await app.inject({ url, headers: { 'x-user': owner }, remoteAddress });
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  return performance.now() - begin;
}

async function compare(what: string, before: [Visitor, Url], after: [Visitor, Url]): Promise<void> {
  const spent: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const [index, [visitor, url]] of [before, after].entries())
      spent[index]?.push(await ask(visitor, url(round)));
  // The first tenth warms up.
  const [fewMs = 0, manyMs = 0] = spent.map((times) => median(times.slice(rounds / 10)));
  figure({
    what: `${what}, ${many} servers in the store instead of ${few}`,
    value: `${tidy(manyMs)} ms instead of ${tidy(fewMs)} ms`,
    budget: `≤ ${ratioAtMost} times`,
    kept: manyMs <= fewMs * ratioAtMost,
  });
}

await main();
