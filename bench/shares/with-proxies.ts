import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { askDomain, servicesOf, startWebsite } from '../../homeport/testing/proxied-domain.ts';
import { root } from '../../scripts/install.mjs';
import { watchMemory } from '../memory.ts';
import { startFlags } from '../start-flags.ts';
import { fillAccount } from './fill-account.ts';

const port = 17072;
const proxyPort = 17082;
const url = `http://127.0.0.1:${port}`;
const withinMs = 120_000;
export const heldMs = 4_000;
/** A name of this machine alone needs no record and no proof. */
const domain = 'bench.localhost';

/**
 * A console of `npm start` with an account at its ceilings of proxies and bytes of rules, and one website that is served. The console
 * is started again after the account was filled, so that its memory at rest holds nothing of that.
 */
export async function startWithProxies() {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-shares-'));
  // Started by root, PostgreSQL runs as another account.
  await chmod(folder, 0o755);
  const fault = join(folder, 'fault.cjs');
  await writeFile(fault, holdsAtSignal);
  const website = await startWebsite((_req, res) => res.end('ahoy'));
  let program = launch(folder, fault);
  const stop = async () => {
    await end(program);
    await website[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(isReady);
    const cookie = await fillAccount(url, { domain, source: website.origin });
    await end(program);
    program = launch(folder, fault);
    await until(isReady);
    await until(isServed);
    return { stop, ...measures(program.pid ?? 0, cookie) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function measures(pid: number, cookie: string) {
  return {
    /** How long the console takes to answer, in milliseconds. */
    async timeOf(path: string): Promise<number> {
      const begun = performance.now();
      const answer = await fetch(url + path, { headers: { cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
      return performance.now() - begun;
    },
    watchMemory: () => watchMemory(pid),
    async holdService(): Promise<void> {
      for (const service of await servicesOf(pid)) process.kill(service, 'SIGUSR2');
    },
    /** How long a visitor waits for the website, in milliseconds. */
    async visit(): Promise<number> {
      const begun = performance.now();
      await until(isServed);
      return performance.now() - begun;
    },
    /** How long a visitor waits for the website after the kill, in milliseconds. */
    async killService(): Promise<number> {
      await until(isServed);
      const killed = await servicesOf(pid);
      if (killed.length === 0) throw new Error('The console has no proxy service to kill.');
      const begun = performance.now();
      for (const service of killed) process.kill(service, 'SIGKILL');
      // The kernel may let a killed process finish an answer.
      await until(async () => !(await servicesOf(pid)).some((service) => killed.includes(service)));
      await until(isServed);
      return performance.now() - begun;
    },
  };
}

/** At SIGUSR2 the proxy service does nothing else for a while, and no other process hears of it. */
const holdsAtSignal = `if (process.argv[1]?.endsWith('proxy-service.js')) process.on('SIGUSR2', () => {
  for (const end = Date.now() + ${heldMs}; Date.now() < end;);
});`;

function launch(folder: string, fault: string): ChildProcess {
  return spawn(
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
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGINT');
  await ended;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('The console or its proxy service does not answer.');
    await pause(5);
  }
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok === true;
}

const isServed = async (): Promise<boolean> =>
  (await askDomain({ port: proxyPort, domain, path: '/' }).catch(() => '')) === 'ahoy';
