import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  isRunning,
  query,
  startConsoleProcess,
  temporaryFolder,
} from '../../testing/console-process.ts';
import { askDomain, plantProxy, servicesOf, startWebsite } from '../../testing/proxied-domain.ts';

vi.setConfig({ testTimeout: 120_000 });

const domain = 'kept.localhost';
const startsWithinMs = 30_000;

let website: Awaited<ReturnType<typeof startWebsite>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let ports: { own: number; proxy: number; control: number };
let started: ConsoleProcess | undefined;
/** What tests begin or find beside the console. */
let others: number[] = [];

beforeAll(async () => {
  buildServer();
  website = await startWebsite((req, res) => res.end(`website ${req.url}`));
}, 120_000);
afterAll(() => website[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await temporaryFolder();
  ports = { own: await freePort(), proxy: await freePort(), control: await freePort() };
});
afterEach(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
  started = undefined;
  for (const pid of others) if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
  others = [];
  await folder[Symbol.asyncDispose]();
});

async function start(env: Record<string, string> = {}): Promise<ConsoleProcess> {
  started = startConsoleProcess(['--data', folder.path, '--port', String(ports.own), '--only', 'api,proxy'], {
    HOMEPORT_PROXY_PORT: String(ports.proxy),
    HOMEPORT_PROXY_CONTROL_PORT: String(ports.control),
    ...env,
  });
  await started.ready();
  return started;
}

const services = () => servicesOf(started?.child.pid);
const visit = (path = '/x') =>
  askDomain({ port: ports.proxy, domain, path }).catch((error: NodeJS.ErrnoException) => error.code);

/** Starts a console with one proxied domain, and resolves with the process that serves the domain. */
async function startServing(env?: Record<string, string>): Promise<number> {
  await start(env);
  await plantProxy(folder.path, domain, website.origin);
  await expect.poll(visit, { timeout: startsWithinMs }).toBe('website /x');
  const [pid = 0] = await services();
  others.push(pid);
  return pid;
}

/** A fault that a test causes in the service, and in no other process: at SIGUSR2 the process does this. */
async function withFault(fault: string): Promise<Record<string, string>> {
  const file = join(folder.path, 'fault.cjs');
  await writeFile(
    file,
    `if (process.argv[1]?.endsWith('proxy-service.js')) process.on('SIGUSR2', () => { ${fault} });`,
  );
  return { NODE_OPTIONS: `--require=${file}` };
}

test('the service begins with the first proxy, is begun anew after kill -9, and ends with the last one', async () => {
  await start();
  expect(await services()).toEqual([]);
  expect(await visit()).toBe('ECONNREFUSED');

  const id = await plantProxy(folder.path, domain, website.origin);
  await expect.poll(visit, { timeout: startsWithinMs }).toBe('website /x');
  const [first = 0, ...more] = await services();
  expect(more).toEqual([]);
  process.kill(first, 'SIGKILL');
  await expect.poll(visit, { interval: 10, timeout: startsWithinMs }).toBe('website /x');
  const [second = 0] = await services();
  expect(second).not.toBe(first);

  await query(folder.path, 'delete from proxies where id = $1', [id]);
  await expect.poll(services, { timeout: startsWithinMs }).toEqual([]);
  expect(await isRunning(second)).toBe(false);
  expect(await visit()).toBe('ECONNREFUSED');
  expect(started?.child.exitCode).toBeNull();

  // A domain that waits is found to lead here by a request through the service.
  await plantProxy(folder.path, domain, website.origin);
  await query(folder.path, 'update proxies set allowed = false');
  await expect.poll(visit, { timeout: startsWithinMs }).toContain('This domain is not handled by this proxy');
});

test('the console answers as before while the service is held up', async () => {
  const holdMs = 3_000;
  const pid = await startServing(
    await withFault(`for (const end = Date.now() + ${holdMs}; Date.now() < end;);`),
  );
  process.kill(pid, 'SIGUSR2');
  let isHeld = true;
  const visitor = visit('/held').finally(() => {
    isHeld = false;
  });
  let answeredMeanwhile = 0;
  while (isHeld) {
    expect((await fetch(`http://127.0.0.1:${ports.own}/healthz`)).status).toBe(200);
    if (isHeld) answeredMeanwhile += 1;
  }
  // `npm run bench -- shares` measures how long one answer takes.
  expect(answeredMeanwhile).toBeGreaterThan(10);
  expect(await visitor).toBe('website /held');
});

test('a service that outgrows its memory dies and comes back, and the log says so', async () => {
  const pid = await startServing({
    ...(await withFault('globalThis.kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random()));')),
    HOMEPORT_PROXY_MEMORY: '64',
  });
  process.kill(pid, 'SIGUSR2');
  await expect.poll(() => isRunning(pid), { timeout: startsWithinMs }).toBe(false);
  await expect.poll(visit, { timeout: startsWithinMs }).toBe('website /x');
  await expect.poll(() => started?.output()).toContain('heap out of memory');
  expect(started?.child.exitCode).toBeNull();
});

test('visitors do not notice that the console is killed, and the next console takes the port over', async () => {
  const first = await startServing();
  const seen = new Set<unknown>();
  let isOver = false;
  const visitor = (async () => {
    while (!isOver) seen.add(await visit());
  })();
  started?.child.kill('SIGKILL');
  expect(await started?.ended).toBe('SIGKILL');
  expect(await visit('/alone')).toBe('website /alone');

  await start();
  await expect.poll(services, { timeout: startsWithinMs }).toHaveLength(1);
  await expect.poll(() => isRunning(first), { timeout: startsWithinMs }).toBe(false);
  await expect.poll(visit, { timeout: startsWithinMs }).toBe('website /x');
  isOver = true;
  await visitor;
  // Between the two the port was closed for a moment. Nobody got a wrong answer.
  for (const refused of ['ECONNREFUSED', 'ECONNRESET']) seen.delete(refused);
  expect(seen).toEqual(new Set(['website /x']));
});

test('a service whose console was killed ends at a signal', async () => {
  const pid = await startServing();
  process.kill(pid, 'SIGTERM');
  expect(await visit()).toBe('website /x');
  started?.child.kill('SIGKILL');
  await started?.ended;
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => isRunning(pid), { timeout: startsWithinMs }).toBe(false);
});

test('the end of the console ends the service', async () => {
  const pid = await startServing();
  started?.child.kill('SIGTERM');
  expect(await started?.ended).toBe(0);
  expect(await isRunning(pid)).toBe(false);
});

test('a taken port matters only when there is a proxy: then the log says so, and the console goes on', async () => {
  const other = createServer((_req, res) => res.end('another program'));
  await listen(other, ports.proxy);
  await start();
  expect(started?.output()).not.toContain('taken');
  await plantProxy(folder.path, domain, website.origin);
  const sentence = `Port ${ports.proxy} on 127.0.0.1 is taken by another program`;
  await expect.poll(() => started?.output(), { timeout: startsWithinMs }).toContain(sentence);
  expect((await fetch(`http://127.0.0.1:${ports.own}/readyz`)).status).toBe(200);
  expect(await visit()).toBe('another program');

  await new Promise((resolve) => {
    other.close(resolve);
    other.closeAllConnections();
  });
  await expect.poll(visit, { timeout: 60_000 }).toBe('website /x');
  expect(started?.output().split(sentence)).toHaveLength(2);
});

test('two consoles run beside each other with another port and folder only', async () => {
  await using second = await temporaryFolder();
  const consoles = [folder.path, second.path].map((path) => ({ path, port: 0 }));
  const running: ConsoleProcess[] = [];
  try {
    for (const each of consoles) {
      each.port = await freePortOfConsole();
      const console = startConsoleProcess([
        ...['--data', each.path, '--port', String(each.port), '--only', 'api,proxy'],
      ]);
      running.push(console);
      await console.ready();
    }
    for (const { path } of consoles) await plantProxy(path, domain, website.origin);
    for (const { port } of consoles)
      await expect
        .poll(() => askDomain({ port: port + 10, domain, path: '/x' }).catch(() => null), {
          timeout: startsWithinMs,
        })
        .toBe('website /x');
  } finally {
    for (const { child } of running) child.kill('SIGTERM');
    expect(await Promise.all(running.map(({ ended }) => ended))).toEqual([0, 0]);
  }
});

/** A free port whose proxy service finds its own free too: that follows it, and other tests hold ports as well. */
async function freePortOfConsole(): Promise<number> {
  for (let tried = 0; tried < 100; tried += 1) {
    const port = await freePort();
    const service = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      service.once('error', () => resolve(false));
      service.listen(port + 10, () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => service.close(resolve));
    return port;
  }
  throw new Error('No port had a free one beside it.');
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}
