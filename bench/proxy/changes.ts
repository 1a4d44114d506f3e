import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notifyPlanes, openStore, type Store, startEmbedded } from '@homeport/store';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { sendAll } from './load.ts';
import { startPlane } from './plane.ts';

const changes = 1_000;
const requests = 100_000;
/** The load comes in parts, so that it lasts at least as long as the changes. */
const part = 5_000;
const liveMs = 50;

/**
 * How soon a change of the rules is live after the store has taken it, while visitors ask without a pause. Every change moves the
 * path `/changed` to another path of the website, and a visitor asks until the answer is the new one.
 */
export async function measureChanges(folder: string, site: number): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  // The embedded PostgreSQL does not run as root and has to pass through the folder.
  execFileSync('chmod', ['755', data]);
  const embedded = await startEmbedded({ dataFolder: data });
  const url = `postgresql://${embedded.user}@${encodeURIComponent(embedded.socketFolder)}/postgres`;
  const store = await openStore({ url });
  const source = `http://127.0.0.1:${site}`;
  const proxy = await plantProxy(store, source);
  const plane = await startPlane(join(folder, 'changed'), [], { env: { DATABASE_URL: url } });
  const agent = new Agent({ keepAlive: true });
  try {
    await comesTrue(plane.port, '/small.bin', 200, agent);
    let failed = 0;
    let sent = 0;
    let isDone = false;
    const load = (async () => {
      while (!isDone || sent < requests) {
        const one = { port: plane.port, host: 'bench.localhost', path: '/small.bin' };
        failed += (await sendAll(one, part)).failed;
        sent += part;
      }
    })();
    const delays: number[] = [];
    for (let change = 0; change < changes; change += 1) {
      const isThere = change % 2 === 0;
      await changeRule(store, proxy, source, isThere);
      delays.push(await comesTrue(plane.port, '/changed', isThere ? 200 : 404, agent));
    }
    isDone = true;
    await load;
    delays.sort((a, b) => a - b);
    figureAtMost(
      'A changed rule is live after its answer, 99 %',
      delays[Math.floor(changes * 0.99)] ?? 0,
      liveMs,
      'ms',
    );
    figure({ what: 'The same, the slowest', value: `${tidy(delays.at(-1) ?? 0)} ms` });
    figureAtMost(`Requests that failed of ${sent} while ${changes} changes passed`, failed, 0, '');
  } finally {
    agent.destroy();
    await plane.stop();
    await store.close();
    await embedded.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function plantProxy(store: Store, source: string): Promise<string> {
  const owner = await store.db
    .insertInto('auth.user')
    .values({ name: 'ada', email: 'ada@example.test', emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const proxy = await store.db
    .insertInto('proxies')
    .values({
      ...{
        owner_id: owner.id,
        name: 'bench',
        domain: 'bench.localhost',
        source,
        created_at: 1,
        proof: 'bench',
      },
      ...{ holds: true, allowed: true, granted_at: 1, check_due_at: Date.now() + 3_600_000 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return proxy.id;
}

async function changeRule(store: Store, id: string, target: string, isThere: boolean): Promise<void> {
  const rule = {
    ...{ id: 'r', path: '/changed', type: 'simple', target, xForwardedHost: '', proxyPathPrefix: '' },
    ...{ pathRewriteSrc: '/changed', pathRewriteDest: isThere ? '/small.bin' : '/nothing', injection: '' },
  };
  await store.db
    .updateTable('proxies')
    .set({ records: JSON.stringify([rule]) })
    .where('id', '=', id)
    // As the console writes it.
    .returning(notifyPlanes)
    .execute();
}

/** Asks until the answer has this status. Gives the milliseconds until the answer that had it. */
async function comesTrue(port: number, path: string, status: number, agent: Agent): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const found = await new Promise<number>((resolve, reject) => {
      get({ port, path, agent, host: '127.0.0.1', headers: { host: 'bench.localhost' } }, (res) => {
        res.resume().once('end', () => resolve(res.statusCode ?? 0));
      }).once('error', reject);
    });
    const took = performance.now() - begun;
    if (found === status) return took;
    if (took > 30_000) throw new Error(`${path} did not answer ${status} within 30 s.`);
  }
}
