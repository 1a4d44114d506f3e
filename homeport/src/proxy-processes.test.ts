import { writeFile } from 'node:fs/promises';
import { Agent, createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { controlToken } from '@homeport/proxy';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  query,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';
import { askDomain, childrenWith, plantProxy, servicesOf } from '../testing/proxied-domain.ts';

vi.setConfig({ testTimeout: 90_000 });

beforeAll(() => buildServer(), 120_000);
let started: ConsoleProcess | undefined;
afterEach(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
});

const domain = 'two.localhost';

test('several processes serve what changes, purge together, come back after a kill, and end together', async () => {
  await using folder = await temporaryFolder();
  let version = 'one';
  const upstream = createServer((req, res) =>
    res
      .writeHead(200, req.url === '/kept' ? { 'cache-control': 'max-age=60' } : {})
      .end(`${version} ${req.url}`),
  );
  const at = await freePort();
  await new Promise<void>((resolve) => upstream.listen(at, '127.0.0.1', resolve));
  const [port, control, own] = [await freePort(), await freePort(), await freePort()];
  started = startConsoleProcess(['--data', folder.path, '--port', String(own), '--only', 'api,proxy'], {
    ...{ HOMEPORT_PROXY_PORT: String(port), HOMEPORT_PROXY_CONTROL_PORT: String(control) },
    ...{ HOMEPORT_PROXY_PROCESSES: '2', HOMEPORT_SECRET: secret },
  });
  await started.ready();
  const proxy = await plantProxy(folder.path, domain, `http://127.0.0.1:${at}`);
  await expect.poll(() => ask(port, '/x').catch(() => null), { timeout: 30_000 }).toBe('one /x');
  const [service = 0] = await servicesOf(started.child.pid);
  await expect
    .poll(() => tell(control, 'GET', '/system/state').catch(() => null), { timeout: 30_000 })
    .toMatchObject({ processes: 2 });
  const first = await workersOf(service);
  expect(first).toHaveLength(2);
  await tell(control, 'POST', '/system/reload');

  // Each request has a connection of its own.
  const many = (path: string) => Promise.all(Array.from({ length: 8 }, () => ask(port, path)));
  expect(new Set(await many('/x'))).toEqual(new Set(['one /x']));
  await query(folder.path, 'update proxies set source = $1 where id = $2', [
    `http://127.0.0.1:${at}/new`,
    proxy,
  ]);
  await tell(control, 'POST', '/system/reload');
  expect(new Set(await many('/x'))).toEqual(new Set(['one /new/x']));

  await query(folder.path, 'update proxies set source = $1 where id = $2', [`http://127.0.0.1:${at}`, proxy]);
  await tell(control, 'POST', '/system/reload');
  for (const pid of first) await without(pid, () => many('/kept'));
  version = 'two';
  expect(new Set(await many('/kept'))).toEqual(new Set(['one /kept']));
  const purge = { startsWith: `http://${domain}/kept` };
  expect(await tell(control, 'POST', '/system/cache/purge', purge)).toEqual({ purged: 2 });
  expect(new Set(await many('/kept'))).toEqual(new Set(['two /kept']));

  // The other process goes on from the first moment, and the new one knows every site.
  const load = startLoad(port);
  await expect.poll(load.answered).toBeGreaterThan(200);
  process.kill(first[0] ?? 0, 'SIGKILL');
  await expect
    .poll(() => workersOf(service).then((all) => all.includes(first[0] ?? 0)), {
      interval: 1,
    })
    .toBe(false);
  expect(await ask(port, '/y')).toBe('two /y');
  await expect
    .poll(() => tell(control, 'GET', '/system/state'), { timeout: 10_000 })
    .toMatchObject({ processes: 2, store: 'reached' });
  expect(new Set(await many('/y'))).toEqual(new Set(['two /y']));
  const before = load.answered();
  await expect.poll(load.answered).toBeGreaterThan(before + 200);
  // A visitor lost the request that was under way at the killed process, and no other one.
  const { wrong, lost } = await load.end();
  expect(wrong).toEqual([]);
  expect(Math.max(...lost)).toBeLessThanOrEqual(1);

  const last = await workersOf(service);
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  for (const pid of last) expect(() => process.kill(pid, 0)).toThrow();
  upstream.close();
  upstream.closeAllConnections();
});

test('several processes let what is under way end, begin nothing new, and the service ends with 0', async () => {
  await using folder = await temporaryFolder();
  const held: (() => void)[] = [];
  const seen: string[] = [];
  const upstream = createServer((req, res) => {
    seen.push(req.url ?? '');
    if (req.url?.startsWith('/held')) {
      res.write('begun ');
      held.push(() => res.end('and ended'));
    } else res.end('at once');
  });
  const at = await freePort();
  await new Promise<void>((resolve) => upstream.listen(at, '127.0.0.1', resolve));
  const [port, control, own] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    ...{ HOMEPORT_PROXY_PORT: String(port), HOMEPORT_PROXY_CONTROL_PORT: String(control) },
    ...{ HOMEPORT_PROXY_PROCESSES: '2', HOMEPORT_SECRET: secret },
  };
  // What the service served last is enough: the store stays away.
  await writeFile(join(folder.path, 'proxies.snapshot'), snapshotOf(`http://127.0.0.1:${at}`));
  started = startConsoleProcess(['--data', folder.path, '--port', String(own), '--only', 'proxy'], {
    ...{
      ...settings,
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      HOMEPORT_PROXY_ALLOW_PRIVATE: '127.0.0.0/8',
    },
  });
  await expect.poll(() => ask(port, '/first').catch(() => null), { timeout: 30_000 }).toBe('at once');

  const workers = await workersOf(started.child.pid ?? 0);
  expect(workers).toHaveLength(2);
  const answers: Promise<string>[] = [];
  for (const pid of workers)
    await without(pid, async () => {
      const before = held.length;
      answers.push(ask(port, `/held-beside-${pid}`));
      await expect.poll(() => held.length).toBe(before + 1);
    });
  seen.length = 0;
  started.child.kill('SIGTERM');
  await expect.poll(() => ask(port, '/new').catch(() => 'refused')).toBe('refused');
  seen.length = 0;
  for (let tries = 0; tries < 10; tries += 1) await expect(ask(port, '/new')).rejects.toThrow();
  expect(seen).toEqual([]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).not.toThrow();

  for (const end of held) end();
  expect(await Promise.all(answers)).toEqual(['begun and ended', 'begun and ended']);
  expect(await started.ended).toBe(0);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow();
  upstream.close();
  upstream.closeAllConnections();
});

const secret = 's'.repeat(32);

function snapshotOf(source: string): string {
  const site = { id: 'two', domain, version: 1, text: JSON.stringify({ source, records: [] }) };
  return `${JSON.stringify({ homeport: 'proxies', version: 0, writtenAt: 1 })}\n${JSON.stringify(site)}\n`;
}

/** The processes that answer visitors, of a service that is not one itself. */
const workersOf = (pid: number) => childrenWith(pid, 'proxy-worker.js');

/** What is done while a process stands still, so that the other one answers. */
async function without(pid: number, act: () => Promise<unknown>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Visitors who ask one request after the other, each over a connection of its own that stays open. */
function startLoad(port: number) {
  let isOver = false;
  let answered = 0;
  const wrong: string[] = [];
  const lost = Array.from({ length: 24 }, () => 0);
  const visitors = lost.map(async (_none, visitor) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      try {
        const text = await ask(port, '/load', agent);
        if (text !== 'two /load') wrong.push(text);
        answered += 1;
      } catch {
        lost[visitor] = (lost[visitor] ?? 0) + 1;
      }
    }
    agent.destroy();
  });
  return {
    answered: () => answered,
    async end() {
      isOver = true;
      await Promise.all(visitors);
      return { wrong, lost };
    },
  };
}

const ask = (port: number, path: string, agent?: Agent) =>
  askDomain({ port, domain, path, ...(agent && { agent }) });

async function tell(port: number, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken(secret)}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}
