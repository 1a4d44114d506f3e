import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ceilings } from '@homeport/contract/limits';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import { root } from '../../scripts/install.mjs';
import { startFlags } from '../start-flags.ts';

const port = 17072;
const proxyPort = 17082;
const url = `http://127.0.0.1:${port}`;
const withinMs = 120_000;
export const heldMs = 4_000;
/** A name of this machine alone needs no record and no proof. */
const domain = 'bench.localhost';
const person = { name: 'Bench', email: 'bench@example.com', password: 'harbour-lights-20' };

/** A console of `npm start` with an account at its ceilings of proxies and bytes of rules, and one website that is served. */
export async function startWithProxies() {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-shares-'));
  // Started by root, PostgreSQL runs as another account.
  await chmod(folder, 0o755);
  // At SIGUSR2 the service does nothing else for a while, and no other process hears of it.
  const fault = join(folder, 'fault.cjs');
  await writeFile(
    fault,
    `if (process.argv[1]?.endsWith('proxy-service.js')) process.on('SIGUSR2', () => {
      for (const end = Date.now() + ${heldMs}; Date.now() < end;);
    });`,
  );
  const program = spawn(
    process.execPath,
    [...startFlags, 'scripts/start.mjs', '--data', join(folder, 'data'), '--port', String(port)],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME },
        ...{ HOMEPORT_PROXY_PORT: String(proxyPort), NODE_OPTIONS: `--require=${fault}` },
      },
    },
  );
  const pid = program.pid ?? 0;
  const website = createServer((_req, res) => res.end('ahoy'));
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  const address = website.address();
  const source = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await until(() => isAnswered('/readyz'));
  const cookie = await fillAccount(source);
  await until(isServed);
  return {
    folder,
    async timeOf(path: string): Promise<number> {
      const begun = performance.now();
      const answer = await fetch(url + path, { headers: { cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
      return performance.now() - begun;
    },
    async memoryMiB(): Promise<number> {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024;
    },
    async holdService(): Promise<void> {
      for (const service of await servicesOf(pid)) process.kill(service, 'SIGUSR2');
    },
    /** How long a visitor waits for the website after the kill, in milliseconds. */
    async killService(): Promise<number> {
      await until(isServed);
      const begun = performance.now();
      for (const service of await servicesOf(pid)) process.kill(service, 'SIGKILL');
      await until(isServed);
      return performance.now() - begun;
    },
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => program.once('exit', resolve));
      program.kill('SIGINT');
      await ended;
      website.closeAllConnections();
      await new Promise((resolve) => website.close(resolve));
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('The console or its proxy service does not answer.');
    await pause(5);
  }
}

const isAnswered = async (path: string): Promise<boolean> => {
  const answer = await fetch(url + path).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok === true;
};

const isServed = (): Promise<boolean> =>
  new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port: proxyPort, headers: { host: domain }, agent: false });
    asking.once('error', () => resolve(false));
    asking.once('response', (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode === 200));
    });
    asking.end();
  });

/** Signs up and adds proxies and rules until their ceilings. Resolves with the session's cookie. */
async function fillAccount(source: string): Promise<string> {
  const signedUp = await send('/api/auth/sign-up/email', person, '');
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const add = async (name: string) => {
    const answer = await send('/api/proxies', { domain: name, source }, cookie);
    return (await answer.json()) as { id: string; version: number };
  };
  await add(domain);
  const rule = { type: 'simple', target: source, injection: 'x'.repeat(proxyLimits.injectionBytes - 1_024) };
  const rulesOfProxy = Math.floor(proxyLimits.bytes / proxyLimits.injectionBytes);
  const full = Math.floor(proxyLimits.bytesOfAccount / proxyLimits.bytes);
  for (let made = 1; made < ceilings.proxies; made += 1) {
    let proxy = await add(`s${made}.example.com`);
    if (made >= full) continue;
    for (let count = 0; count < rulesOfProxy; count += 1) {
      const body = { ...rule, path: `/r${count}`, version: proxy.version };
      const answer = await send(`/api/proxies/${proxy.id}/rules`, body, cookie);
      proxy = (await answer.json()) as typeof proxy;
    }
  }
  return cookie;
}

async function send(path: string, body: object, cookie: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: url, cookie };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** The children of the console that are its proxy service (proc(5)). */
async function servicesOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const found: number[] = [];
  for (const child of children.trim().split(' ').filter(Boolean)) {
    const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('proxy-service.js')) found.push(Number(child));
  }
  return found;
}
