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
  /** How much past is made up for servers that are new. */
  historyDays?: number;
  log: { error(details: object, message: string): void };
};

export type Fleet = { close(): void };

const batchSize = 100;

/**
 * Sees to it that the owner has `count` simulated servers with a past in all four horizons, marked as simulated, and
 * lets them report every three minutes, each at its own second, until closed.
 */
export async function simulateFleet(options: FleetOptions): Promise<Fleet> {
  const { store, ingest, clock = Date.now } = options;
  await tendPartitions(store.pool, clock());
  const hashes = await prepareServers(options, clock());
  const report = async (number: number) => {
    const now = clock();
    const hash = hashes[number - 1];
    if (hash)
      await ingest.submit(hash, [fromReport(simulatedReport(number, now, reportEverySeconds), 0)], now);
  };
  await Promise.all(hashes.map((_, index) => report(index + 1)));
  let due = 0;
  const timer = setInterval(() => {
    const until = Math.floor((hashes.length * ((clock() / 1000) % reportEverySeconds)) / reportEverySeconds);
    // Round the end of the interval to its beginning.
    for (; due !== until; due = (due + 1) % hashes.length)
      report(due + 1).catch((error: unknown) =>
        options.log.error({ err: error }, 'a simulated report was not kept'),
      );
  }, 1_000);
  due = Math.floor((hashes.length * ((clock() / 1000) % reportEverySeconds)) / reportEverySeconds);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Token hashes by number. Tokens are made anew at each start and kept nowhere: only this process speaks for them. */
async function prepareServers(
  { store, ownerId, count, historyDays = 365 }: FleetOptions,
  now: number,
): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const hashes = numbers.map(() => makeAgentToken().hash);
  await store.pool.query(
    `insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, monitor_id, agent_token_hash,
       agent_installed, setup, simulated, created_at)
     select $1::uuid, left(md5($1::uuid::text || n), 10), 'simulated-' || n, address, 22, 'root', 'password',
       'sim' || n || left(md5($1::uuid::text), 6), true, 'sim-' || n || '-' || left(md5($1::uuid::text), 10), hash, true, 'ready', true, $5
     from unnest($2::integer[], $3::text[], $4::bytea[]) as t (n, address, hash)
     on conflict (owner_id, ip, port) do update set agent_token_hash = excluded.agent_token_hash where servers.simulated`,
    [ownerId, numbers, numbers.map(addressOf), hashes, now],
  );
  const names = hashes.map((hash) => hash.toString('hex'));
  const known = await findByToken(store.pool, names);
  const ids = names.map((name) => known.get(name)?.id ?? 0).filter(Boolean);
  const { rows } = await store.pool.query<{ id: number }>(
    'select id from series.server where id = any($1) and latest is null order by id',
    [ids],
  );
  const fresh = rows.map((row) => row.id);
  for (let from = 0; from < fresh.length; from += batchSize)
    await fillHistory(store.pool, {
      series: fresh.slice(from, from + batchSize),
      // The first report of its own comes next.
      now: now - reportEverySeconds * 1000,
      days: historyDays,
      intervalSeconds: reportEverySeconds,
    });
  return names;
}
