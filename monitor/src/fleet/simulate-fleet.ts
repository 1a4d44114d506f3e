import { reportEverySeconds } from '@homeport/contract/limits';
import { fillHistory, findByToken, makeAgentToken, type Store, tendPartitions } from '@homeport/store';
import type { Ingest } from '../reports/ingest.ts';
import { fromReport } from '../reports/protocol-2.ts';
import { addressOf, simulatedReport } from './simulated-report.ts';

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
  log: { error(details: object, message: string): void };
};

export type SimulatedServer = {
  name: string;
  description: string;
  /** `offline`: the last report is a day old. `silent`: the server never reported. */
  state: 'reporting' | 'offline' | 'silent';
};

export type Fleet = { close(): void };

const batchSize = 100;
const reportEveryMs = reportEverySeconds * 1000;
const offlineForMs = 86_400_000;

/** A server of the fleet: its number, its id in the series, and the hash that identifies its reports. */
type Member = SimulatedServer & { number: number; series: number; hash: string; isNew: boolean };

/**
 * Gives the owner `count` servers that are marked as simulated, with history in all four horizons. Until `close`, each server
 * reports every three minutes, at its own second.
 */
export async function simulateFleet(options: FleetOptions): Promise<Fleet> {
  const { store, ingest, clock = Date.now } = options;
  await tendPartitions(store.pool, clock());
  const members = await prepareServers(options, clock());
  const report = ({ number, series, hash }: Member, ...times: [number, ...number[]]) => {
    const made = times.map((ts) => ({
      ...simulatedReport(series, ts, reportEverySeconds),
      ipv4: addressOf(number),
    }));
    return ingest.submit(
      hash,
      made.map((each) => fromReport(each, 0)),
      Math.max(...times),
    );
  };
  const now = clock();
  const reporting = members.filter(({ state }) => state === 'reporting');
  const left = members.filter(({ state, isNew }) => state === 'offline' && isNew);
  // The history ends two reports before now, because a rate of traffic needs two reports.
  await fillPasts(options, reporting, { now, until: now - 2 * reportEveryMs });
  await fillPasts(options, left, { now, until: now - offlineForMs - reportEveryMs });
  await Promise.all(left.map((member) => report(member, now - offlineForMs)));
  await Promise.all(reporting.map((member) => report(member, now - reportEveryMs, now)));

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

/** Makes new tokens at each start and stores only their hashes, so only this process reports for these servers. */
async function prepareServers(
  { store, ownerId, count, describe = plainly }: FleetOptions,
  now: number,
): Promise<Member[]> {
  const made = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return { ...describe(number), number, hash: makeAgentToken().hash };
  });
  await store.pool.query(
    `insert into servers (owner_id, key, name, description, ip, port, username, credential, subdomain, metal, monitor_id,
       agent_token_hash, agent_installed, setup, simulated, created_at)
     select $1::uuid, left(md5($1::uuid::text || n), 10), name, description, address, 22, 'root', 'password',
       'sim' || n || left(md5($1::uuid::text), 6), true, 'sim-' || n || '-' || left(md5($1::uuid::text), 10), hash, true, 'ready', true, $7
     from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::bytea[]) as t (n, name, description, address, hash)
     on conflict (owner_id, ip, port) do update set agent_token_hash = excluded.agent_token_hash where servers.simulated`,
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
  const hashes = made.map(({ hash }) => hash.toString('hex'));
  const known = await findByToken(store.pool, hashes);
  const { rows } = await store.pool.query<{ id: number }>(
    'select id from series.server where id = any($1) and latest is null',
    [[...known.values()].map(({ id }) => id)],
  );
  const fresh = new Set(rows.map((row) => row.id));
  return made.flatMap((server, index) => {
    const hash = hashes[index] ?? '';
    const series = known.get(hash)?.id;
    return series === undefined ? [] : [{ ...server, hash, series, isNew: fresh.has(series) }];
  });
}

const plainly = (number: number): SimulatedServer => ({
  name: `simulated-${number}`,
  description: '',
  state: 'reporting',
});

/** Makes up the history of the new servers. */
async function fillPasts(
  { store, historyDays = 365 }: FleetOptions,
  members: readonly Member[],
  span: { now: number; until: number },
): Promise<void> {
  const fresh = members.filter(({ isNew }) => isNew).map(({ series }) => series);
  for (let from = 0; from < fresh.length; from += batchSize)
    await fillHistory(store.pool, {
      series: fresh.slice(from, from + batchSize),
      ...span,
      days: historyDays,
      intervalSeconds: reportEverySeconds,
    });
}
