import { reportEverySeconds } from '@homeport/contract/limits';
import { fillHistory, makeAgentToken, type Store, tendPartitions } from '@homeport/store';
import type pg from 'pg';
import type { Ingest } from '../reports/ingest.ts';
import { fromReport } from '../reports/protocol-2.ts';
import { courseOf } from './course.ts';
import { addressOf, type Simulated, simulatedReport } from './simulated-report.ts';

export type FleetOptions = {
  store: Pick<Store, 'pool'>;
  ingest: Ingest;
  ownerId: string;
  count: number;
  clock?: () => number;
  /** How many days of history to make up for new servers. */
  historyDays?: number;
  /** Describes the server with a number, from 1 on. By default the servers are `simulated-1` and so on, and all of them report. */
  describe?: (number: number) => SimulatedServer;
  /** Called each time when more of the servers are there, with their history and their first report. */
  onAppeared?: () => Promise<void>;
  log: { error(details: object, message: string): void };
};

export type SimulatedServer = {
  name: string;
  description: string;
  /** `offline`: the last report is a day old. `silent`: the server never reported. */
  state: 'reporting' | 'offline' | 'silent';
};

export type Fleet = { close(): void };

/** So many of the first servers fill the large charts, which takes twenty times as many rows. */
const chartedServers = 8;
/** So many servers appear at once. */
const batchSize = 50;
const reportEveryMs = reportEverySeconds * 1000;
const offlineForMs = 86_400_000;

/** A server of the fleet: its id in the series, and the hash that identifies its reports. */
type Member = SimulatedServer & Simulated & { series: number; hash: string; isNew: boolean };

/**
 * Gives the owner `count` servers that are marked as simulated, with history in all four horizons. A server appears together with
 * its history. Until `close`, each server reports every three minutes, at its own second.
 */
export async function simulateFleet(options: FleetOptions): Promise<Fleet> {
  const { store, ingest, count, clock = Date.now, onAppeared } = options;
  await tendPartitions(store.pool, clock());
  const report = (member: Member, ...times: [number, ...number[]]) => {
    const made = times.map((ts) => simulatedReport(member, ts, reportEverySeconds));
    return ingest.submit(
      member.hash,
      made.map((each) => fromReport(each, 0)),
      Math.max(...times),
    );
  };
  const reporting: Member[] = [];
  for (let first = 1; first <= count; first += batchSize) {
    const now = clock();
    const members = await addServers(options, { first, last: Math.min(count, first + batchSize - 1) }, now);
    await Promise.all(
      members.map((member) => {
        // A rate needs two reports. The first one repeats the end of the history, so the second one has a rate already.
        if (member.state === 'reporting')
          return member.isNew
            ? report(member, now - 2 * reportEveryMs, now - reportEveryMs, now)
            : report(member, now - reportEveryMs, now);
        if (member.state === 'offline' && member.isNew)
          return report(member, now - offlineForMs - reportEveryMs, now - offlineForMs);
        return undefined;
      }),
    );
    reporting.push(...members.filter(({ state }) => state === 'reporting'));
    await onAppeared?.();
  }

  const dueAt = () => Math.floor((reporting.length * (clock() % reportEveryMs)) / reportEveryMs);
  let due = dueAt();
  const timer = setInterval(() => {
    const until = dueAt();
    // Wraps around from the end of the interval to its beginning.
    for (; due !== until; due = (due + 1) % reporting.length) {
      const member = reporting[due];
      if (member)
        report(member, clock()).catch((error: unknown) =>
          options.log.error({ err: error }, 'a simulated report was not stored'),
        );
    }
  }, 1_000);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/**
 * Adds the servers of these numbers that are missing, each in one transaction with its history. Makes new tokens at each start and
 * stores only their hashes, so only this process reports for these servers.
 */
async function addServers(
  { store, ownerId, describe = plainly, historyDays = 365 }: FleetOptions,
  { first, last }: { first: number; last: number },
  now: number,
): Promise<Member[]> {
  const made = Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    return { ...describe(number), number, course: courseOf(number), hash: makeAgentToken().hash };
  });
  const client = await store.pool.connect();
  try {
    await client.query('begin');
    const rows = await insertServers(client, ownerId, made, now);
    const members = made.flatMap(({ hash, ...server }) => {
      const row = rows.get(server.number);
      return row ? [{ ...server, ...row, hash: hash.toString('hex') }] : [];
    });
    const fill = async (state: SimulatedServer['state'], until: number) => {
      const added = members.filter((member) => member.state === state && member.isNew);
      for (const depth of ['charted', 'shown'] as const)
        await fillHistory(client, {
          servers: added.filter(({ number }) => number <= chartedServers === (depth === 'charted')),
          ...{ now, until, depth },
          days: historyDays,
          intervalSeconds: reportEverySeconds,
        });
    };
    await fill('reporting', now - 2 * reportEveryMs);
    await fill('offline', now - offlineForMs - reportEveryMs);
    await client.query('commit');
    client.release();
    return members;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}

type Made = SimulatedServer & { number: number; hash: Buffer };

/** Adds the servers, or gives those that exist their new tokens. The rows by the servers' numbers. */
async function insertServers(
  client: pg.ClientBase,
  ownerId: string,
  made: readonly Made[],
  now: number,
): Promise<Map<number, { series: number; since: number; isNew: boolean }>> {
  const { rows } = await client.query<{ number: number; series: number; since: number; isNew: boolean }>(
    `with made as (
       select * from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::bytea[]) as t (n, name, description, address, hash)),
     server as (
       insert into servers (owner_id, key, name, description, ip, port, username, credential, subdomain, metal, monitor_id,
         agent_token_hash, agent_installed, setup, simulated, created_at)
       select $1::uuid, left(md5($1::uuid::text || n), 10), name, description, address, 22, 'root', 'password',
         'sim' || n || left(md5($1::uuid::text), 6), true, 'sim-' || n || '-' || left(md5($1::uuid::text), 10), hash, true, 'ready', true, $7
       from made
       on conflict (owner_id, ip, port) do update set agent_token_hash = excluded.agent_token_hash where servers.simulated
       returning id, ip, created_at),
     series as (
       insert into series.server (server_id) select id from server
       on conflict (server_id) do update set version = series.server.version returning id, server_id, latest)
     select n as number, series.id as series, created_at as since, latest is null as "isNew"
     from made join server on server.ip = made.address join series on series.server_id = server.id order by n`,
    [
      ownerId,
      made.map(({ number }) => number),
      made.map(({ name }) => name),
      made.map(({ description }) => description),
      made.map(({ number }) => addressOf(number)),
      made.map(({ hash }) => hash),
      now,
    ],
  );
  return new Map(rows.map(({ number, ...row }) => [number, row]));
}

const plainly = (number: number): SimulatedServer => ({
  name: `simulated-${number}`,
  description: '',
  state: 'reporting',
});
