import { databaseSeries, nameContainers } from '@homeport/store';
import { makeReport, testMonitor } from '../testing.ts';

const step = 180_000;

/** A name that a format would misread if it were not escaped. */
export const hostileName = 'a "b" \\ \n{c="d"} # HELP x';

/** A server with an app, a database and a check, all measured, under names of a stranger. */
export async function startMeasured() {
  const monitor = await testMonitor();
  const server = await monitor.addServer('web');
  const { pool } = monitor.database.store;
  const { now } = monitor.clock;
  await pool.query('update servers set name = $2 where id = $1', [server.id, hostileName]);
  await pool.query(
    `with app as (
       insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at)
       values ($1, $2, $3, 'shop', 'nq-shop', 3, 0) returning id)
     insert into checks (app_id, domain, created_at, confirmed, confirmed_at, due_at)
     select id, 'shop.example.com', 0, 'up', 0, 0 from app`,
    [server.owner, server.id, hostileName],
  );
  await pool.query(
    `insert into databases (owner_id, server_id, name, longname, type, created_at)
     values ($1, $2, 'ledger', 'ledger', 'postgres', 1)`,
    [server.owner, server.id],
  );
  const [shop, ledger] = ['c'.repeat(64), 'd'.repeat(64)];
  await nameContainers(pool, server.id, 'shop', [shop]);
  await nameContainers(pool, server.id, databaseSeries('postgres', 'ledger'), [ledger]);
  const reports = [1, 0].map((ago) =>
    makeReport(now - ago * step, {
      net: [{ name: 'eth0', rx: 9_000 - ago * 1_800, tx: 500 }],
      apps: [shop, ledger].map((id) => ({
        id,
        memory: 700,
        inactive_file: 100,
        cpu_usec: 90e6 - ago * 45e6,
      })),
    }),
  );
  const { status } = await monitor.post(server.token, reports);
  if (status !== 200) throw new Error(`The reports were answered ${status}.`);
  return { monitor, server, pool, now, [Symbol.asyncDispose]: () => monitor[Symbol.asyncDispose]() };
}
