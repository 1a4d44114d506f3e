import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Key } from '@homeport/contract/credentials/schema';
import type { RepositoryList } from '@homeport/contract/github/schema';
import type { ProxySummary } from '@homeport/contract/proxies/schema';
import type { Server } from '@homeport/contract/servers/schema';
import type { ServerStats, ServerStatsWithSeries } from '@homeport/contract/stats/schema';
import { freePort } from '@homeport/contract/testing';
import { makeKey } from '@homeport/ssh/testing';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  isRunning,
  startConsoleProcess,
  temporaryFolder,
} from '../../testing/console-process.ts';

// Each test starts a whole console with an SSH server and an agent, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let console: ConsoleProcess;
let url: string;
let cookie: string;

const run = promisify(execFile);

async function start(
  flags: string[],
  { services = 'api,monitor', env = {} }: { services?: string; env?: Record<string, string> } = {},
): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const argv = ['--data', data.path, '--only', services, '--port', String(port), ...flags];
  console = startConsoleProcess(argv, env);
  await console.ready();
}

async function stop(): Promise<void> {
  console.child.kill('SIGINT');
  expect(await console.ended).toBe(0);
}

async function signIn(path: 'sign-up' | 'sign-in'): Promise<void> {
  const answer = await fetch(`${url}/api/auth/${path}/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Olive', email: 'olive@example.com', password: 'harbour-lights-20' }),
  });
  expect(answer.status).toBe(200);
  cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function act<T>(path: string, body: object = {}): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

/** Links the demo's GitHub as its page lets a person do. Returns the repositories. */
async function linkGithub(): Promise<string[]> {
  const asked = new URL((await act<{ url: string }>('/api/github/link')).url);
  expect(console.output()).toContain(`A stand-in for GitHub answers at ${asked.origin}`);
  const [, person = ''] = /name="person" value="(\d+)"/.exec(await (await fetch(asked)).text()) ?? [];
  const form = new URLSearchParams([...asked.searchParams, ['person', person]]);
  const back = await fetch(`${asked.origin}${asked.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const { searchParams } = new URL(back.headers.get('location') ?? '');
  await act('/api/github/link/finish', Object.fromEntries(searchParams));
  const { repositories } = await act<RepositoryList>('/api/github/repositories/refresh');
  return repositories.map(({ fullName }) => fullName).toSorted();
}

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(`${url}${path}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

async function until<T>(look: () => Promise<T | undefined>, withinMs = 60_000): Promise<T> {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(100)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`The expected state did not come in time. The console printed:\n${console.output()}`);
}

const sandboxServer = async () =>
  (await read<Server[]>('/api/servers')).find((server) => server.name === 'harbour-sandbox');

/** Processes whose command line or working folder is in the data folder, from the kernel's own list (proc(5)). */
async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line.includes(folder) ? `${pid} ${line.replaceAll('\0', ' ')}` : '';
    }),
  );
  return lines.filter(Boolean);
}

/** The processes of the console's stand-ins, by the service that each plays. */
async function standIns(): Promise<Map<string, number>> {
  const { stdout } = await run('ps', ['-e', '-o', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(
    rows
      .filter(([, parent]) => Number(parent) === console.child.pid)
      .flatMap(([pid, , , program = '', name = '']) =>
        program.endsWith('/stand-in.js') ? [[name, Number(pid)] as const] : [],
      ),
  );
}

const areGone = (pids: Iterable<number>) =>
  until(async () => ((await Promise.all([...pids].map(isRunning))).includes(true) ? undefined : true));

beforeAll(() => buildServer());
beforeEach(async () => {
  data = await temporaryFolder();
  return async () => {
    if (console.child.exitCode === null && console.child.signalCode === null) {
      console.child.kill('SIGTERM');
      await console.ended;
    }
    await data[Symbol.asyncDispose]();
  };
});

test('a person who signs up sees the sandbox with this machine’s figures, and can push an app with just a key', async () => {
  await start(['--demo']);
  expect(console.output()).toContain('It isolates nothing');
  await signIn('sign-up');
  const linked = await until(sandboxServer);
  expect(linked).toMatchObject({ ip: '127.0.0.1', sandbox: true, setup: 'ready', credential: 'password' });
  const stats = await until(async () =>
    (await read<ServerStats[]>('/monitor/dumps')).find((each) => each.key === linked.monitorId),
  );
  expect(stats).toMatchObject({ status: 'active' });
  expect(stats.processes).toBeGreaterThan(0);
  expect(await read('/api/configuration')).toMatchObject({
    demo: {
      cloudflareToken: expect.any(String),
      githubToken: expect.any(String),
      webPort: expect.any(Number),
    },
  });
  expect(await linkGithub()).toEqual(['octo-lantern/ledger', 'octo-lantern/tides']);

  const { privateKeyPem, publicKeyLine } = makeKey();
  const ssh = await clientFor(linked, privateKeyPem);
  await expect(ssh('dokku version')).rejects.toThrow(/Permission denied/);
  const added = await fetch(`${url}/api/keys`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'laptop', publicKey: publicKeyLine }),
  });
  expect(added.status).toBe(201);
  const key = (await added.json()) as Key;
  await until(async () => ((await sandboxServer())?.credential === key.id ? true : undefined));
  expect(await ssh('dokku version')).toBe('dokku version 0.38.27\n');

  const project = join(data.path, 'project');
  await expect(push(project, linked)).rejects.toThrow(/may not push here/);
  await ssh('dokku apps:create hello', 'dokku domains:add hello hello.harbour.localhost');
  await ssh(`echo '${publicKeyLine}' | sudo -n dokku ssh-keys:add laptop`, 'dokku acl:add hello laptop');
  await push(project, linked);
  const address = (await ssh('dokku urls hello')).trim();
  expect(await served(address)).toBe('<p>hello from the demo</p>\n');

  await stop();
  expect(await processesOf(data.path)).toEqual([]);

  await start(['--demo']);
  await signIn('sign-in');
  expect(await sandboxServer()).toMatchObject({
    id: linked.id,
    port: linked.port,
    hostKeyFingerprint: linked.hostKeyFingerprint,
    credential: key.id,
  });
  expect(await until(() => served(address).catch(() => undefined))).toBe('<p>hello from the demo</p>\n');
  await until(async () => ((await ssh('true').catch(() => null)) === null ? undefined : true));
  await stop();
  expect(await processesOf(data.path)).toEqual([]);
});

test('a person who signs up finds two small websites merged under one domain, also after the next start', async () => {
  const [proxyPort, controlPort] = [await freePort(), await freePort()];
  const env = {
    HOMEPORT_PROXY_PORT: String(proxyPort),
    HOMEPORT_PROXY_CONTROL_PORT: String(controlPort),
  };
  await start(['--demo'], { services: 'api,monitor,proxy', env });
  await signIn('sign-up');
  const serving = () =>
    until(async () =>
      (await read<ProxySummary[]>('/api/proxies')).find(({ standing }) => standing.state === 'serving'),
    );
  const proxy = await serving();
  expect(proxy).toMatchObject({
    ...{ domain: 'merged.localhost', rules: 1, url: `http://merged.localhost:${proxyPort}/` },
  });
  expect(await until(() => served(proxy.url).catch(() => undefined))).toContain('<h1>Northquay</h1>');
  const journal = await served(`${proxy.url}journal/`);
  expect(journal).toContain('<h1>Journal</h1>');
  expect(journal).toContain('href="/journal/fog"');
  expect(journal).toContain('href="/journal/style.css"');
  await stop();

  await start(['--demo'], { services: 'api,monitor,proxy', env });
  await signIn('sign-in');
  expect((await serving()).id).toBe(proxy.id);
  expect(await read<ProxySummary[]>('/api/proxies')).toHaveLength(1);
  expect(await until(() => served(`${proxy.url}journal/fog`).catch(() => undefined))).toContain('of fog');
  await stop();
});

test('Cloudflare and GitHub are processes of their own, which come back when they end, and end with the console', async () => {
  await start(['--demo']);
  await signIn('sign-up');
  const link = async () => {
    const secret = /takes the token (\S+) on the page/.exec(console.output())?.[1];
    return fetch(`${url}/api/zones/account`, {
      method: 'PUT',
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
  };
  const first = await standIns();
  expect([...first.keys()].toSorted()).toEqual(['cloudflare', 'github']);
  expect((await link()).status).toBe(200);
  for (const pid of first.values()) process.kill(pid, 'SIGKILL');
  // The same services answer at the same addresses.
  await until(async () => ((await link()).status === 200 ? true : undefined));
  await until(() => linkGithub().catch(() => undefined));
  const second = await standIns();
  expect([...second.keys()].toSorted()).toEqual(['cloudflare', 'github']);
  await stop();
  await areGone([...first.values(), ...second.values()]);
});

test('the next start after kill -9 of the console takes the demo over', async () => {
  await start(['--demo']);
  await signIn('sign-up');
  const linked = await until(sandboxServer);
  const left = await standIns();
  expect(left.size).toBe(2);
  console.child.kill('SIGKILL');
  await console.ended;
  await areGone(left.values());
  await start(['--demo']);
  expect(console.output()).toContain(`127.0.0.1:${linked.port}`);
  await signIn('sign-in');
  expect(await sandboxServer()).toMatchObject({ id: linked.id });
  await stop();
  expect(await processesOf(data.path)).toEqual([]);
});

test('a simulated fleet fills every horizon, keeps its number of servers and has servers with faults', async () => {
  await start(['--demo-fleet', '20']);
  await signIn('sign-up');
  await until(async () => (console.output().includes('20 simulated servers are there') ? true : undefined));
  const servers = await read<Server[]>('/api/servers');
  expect(servers).toHaveLength(20);
  expect(servers.every((server) => server.simulated && server.description.startsWith('Simulated'))).toBe(
    true,
  );
  expect(new Set(servers.map((server) => server.name)).size).toBe(20);
  const dumps = await read<ServerStats[]>('/monitor/dumps');
  // One server in twenty never reported; two have been offline for a day.
  expect(dumps).toHaveLength(19);
  expect(dumps.filter((stats) => Date.now() - (stats.update_time ?? 0) > 3_600_000)).toHaveLength(2);
  expect(dumps.some((stats) => (stats.disk_percent ?? 0) > 95)).toBe(true);
  const { timeseries } = await read<ServerStatsWithSeries>(`/monitor/dump/${servers[0]?.monitorId}`);
  expect(Object.values(timeseries).every((points) => points.length > 10)).toBe(true);
  await stop();

  await start(['--demo-fleet', '20']);
  await signIn('sign-in');
  await until(async () => (console.output().includes('20 simulated servers are there') ? true : undefined));
  expect(await read<Server[]>('/api/servers')).toHaveLength(20);
  expect(await read<ServerStats[]>('/monitor/dumps')).toHaveLength(19);
  await stop();
});

let identityFile: string;

async function clientFor(server: Server, privateKey: string) {
  identityFile = join(data.path, 'client_key');
  await writeFile(identityFile, privateKey, { mode: 0o600 });
  return async (...commands: string[]) => {
    let output = '';
    for (const command of commands)
      output = (
        await run('ssh', [
          ...clientOptions(),
          '-p',
          String(server.port),
          `${server.username}@${server.ip}`,
          command,
        ])
      ).stdout;
    return output;
  };
}

const clientOptions = () => [
  ...['-F', 'none', '-i', identityFile, '-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes'],
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'IdentityAgent=none'],
];

async function push(project: string, { git }: Server): Promise<void> {
  const remote = `ssh://${git.user}@${git.host}:${git.port}/hello`;
  const env = {
    PATH: process.env.PATH,
    HOME: data.path,
    GIT_SSH_COMMAND: ['ssh', ...clientOptions()].join(' '),
  };
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'index.html'), '<p>hello from the demo</p>\n');
  const git_ = (...words: string[]) =>
    run('git', ['-C', project, '-c', 'user.name=Olive', '-c', 'user.email=olive@example.com', ...words], {
      env,
    });
  await git_('init', '-q', '-b', 'main');
  await git_('add', 'index.html');
  await git_('commit', '-q', '--allow-empty', '-m', 'hello');
  await git_('push', remote, 'main');
}

/** Asks this machine for a name below localhost, because not every resolver knows such names. */
async function served(address: string): Promise<string> {
  const { host, port, pathname } = new URL(address);
  const { stdout } = await run('curl', [
    '-fsS',
    '-H',
    `Host: ${host}`,
    `http://127.0.0.1:${port}${pathname}`,
  ]);
  return stdout;
}
