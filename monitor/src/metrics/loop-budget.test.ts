import { ceilings } from '@homeport/contract/limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeReport, type TestMonitor, testMonitor } from '../testing.ts';

/**
 * No answer may hold the loop for longer. Measured as in the api's test of this name: processor time of this process between two turns
 * of its loop, and of several tries the best.
 */
const mostMs = 20;
const tries = 10;

let monitor: TestMonitor;
let owner = '';
beforeAll(async () => {
  monitor = await testMonitor();
  ({ owner } = await monitor.addServer('first'));
  await fill(monitor, owner);
}, 120_000);
afterAll(() => monitor[Symbol.asyncDispose]());

/** As much as one person may have, all of it measured, with reports as large as those of the largest servers. */
async function fill({ database, clock }: TestMonitor, person: string): Promise<void> {
  const { now } = clock;
  const { pool } = database.store;
  const run = (text: string, values: unknown[]) => pool.query(text, values);
  await run(
    `insert into servers (owner_id, key, name, ip, port, username, credential, subdomain, metal, monitor_id, created_at)
     select $1, 'key' || n, 'server ' || n, '192.0.2.' || n, 22, 'root', 'password', 'host' || n, false, 'nq-' || n, 0
     from generate_series(2, $2::int) n`,
    [person, ceilings.servers],
  );
  await run(
    `insert into apps (owner_id, server_id, name, longname, monitor_id, created_at)
     select $1, (array(select id from servers))[1 + n % $3::int], 'app ' || n, 'app-' || n, 'nq-app-' || n, 0
     from generate_series(1, $2::int) n`,
    [person, ceilings.apps, ceilings.servers],
  );
  await run(
    `insert into databases (owner_id, server_id, name, longname, type, created_at)
     select $1, (array(select id from servers))[1 + n % $3::int], 'ledger ' || n, 'ledger-' || n, 'postgres', 0
     from generate_series(1, $2::int) n`,
    [person, ceilings.databases, ceilings.servers],
  );
  await run(`insert into series.server (server_id, latest) select id, $1 from servers`, [latest(now)]);
  await run(
    `insert into series.app (server, name)
     select s.id, a.longname from apps a join series.server s using (server_id) union all
     select s.id, series.database_name(d.type, d.longname) from databases d join series.server s using (server_id)`,
    [],
  );
  await run(
    `insert into series.server_raw (series, ts, seconds, rx, tx, load_avg, load_cpu, load_io, ram_usage, swap_usage,
       disk_usage, ping_us, ping_eu, ping_as)
     select id, $1::bigint, 180, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 from series.server`,
    [now],
  );
  await run(
    `insert into series.app_raw (series, ts, seconds, rx, tx, cpu_percent, mem_usage, mem_percent)
     select id, $1::bigint, 180, 1, 1, 1, 1, 1 from series.app`,
    [now],
  );
  await run(
    `insert into checks (app_id, domain, created_at, confirmed, confirmed_at, due_at, latest)
     select id, 'shop.example.com', 0, 'up', 0, 0, $1 from apps`,
    [checked(now)],
  );
}

function latest(now: number): string {
  const apps = Array.from({ length: 500 }, (_, index) => ({
    id: String(index).padStart(64, '0'),
    ...{ cpu_usec: 90e6, memory: 700, inactive_file: 100, memory_max: 1_000, rx: 1_000, tx: 1_000 },
  }));
  return JSON.stringify({
    ...{ status: 'active', update_time: now, gap_seconds: 180, rx_gap: 1, tx_gap: 1 },
    ...{ load_percent: 1, ram_percent: 1, disk_percent: 1, report: makeReport(now, { apps }) },
  });
}

function checked(now: number): string {
  return JSON.stringify({
    ...{
      at: now,
      ok: true,
      dnsLookup: 1,
      tcpConnection: 1,
      tlsHandshake: 1,
      firstByte: 1,
      contentTransfer: 1,
    },
    ...{ total: 5, status: 200, cause: null, text: null, address: '192.0.2.1', redirects: 0, bytes: 1 },
    truncated: false,
    certificate: {
      ...{ issuer: 'An authority', validFrom: now, validTo: now, fingerprint: 'a'.repeat(64) },
      ...{ nameMatches: true, refusedFor: null, mark: null },
    },
  });
}

function watchTurns(): { longestMs(): number } {
  let longest = 0;
  let before = process.cpuUsage();
  let isOver = false;
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.cpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    longestMs() {
      isOver = true;
      return longest;
    },
  };
}

it(`/metrics holds the loop for ${mostMs} ms of processor time at most, for a person at every ceiling`, async () => {
  const held: number[] = [];
  for (let left = tries; left > 0 && !held.some((ms) => ms <= mostMs); left -= 1) {
    // An answer is given again for five seconds.
    monitor.clock.now += 6_000;
    const turns = watchTurns();
    const answer = await monitor.app.inject({ url: '/metrics', headers: { 'x-user': owner } });
    held.push(turns.longestMs());
    expect(answer.body.match(/^homeport_server_up/gm)).toHaveLength(ceilings.servers);
    expect(answer.body.match(/^homeport_check_up/gm)).toHaveLength(ceilings.apps);
  }
  expect(
    held.filter((ms) => ms <= mostMs),
    held.join(', '),
  ).not.toEqual([]);
}, 60_000);
