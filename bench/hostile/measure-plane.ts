import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '@homeport/api/testing';
import { type Console, freePorts, startConsole } from '../../e2e/fixtures/console.ts';
import { servicesOf } from '../../homeport/testing/proxied-domain.ts';
import { watchMemory } from '../memory.ts';
import { timesOf } from '../processor-time.ts';
import { startAttacker, type Tallies } from './attacker.ts';
import { consolePid, cookieOf } from './console-pid.ts';
import { createHttpClient } from './http-client.ts';
import { askEvenly, askPages, type Measured } from './neighbour.ts';
import { type OpenFiles, secondsUntilRest, watchOpenFiles } from './open-files.ts';
import { greeting, startWebsite } from './website.ts';
import { visit } from './website-visitor.ts';

const domain = 'harbour.localhost';
const visitor = '192.0.2.1';
const servedWithinMs = 30_000;
export const restWithinMs = 30_000;
/** Counting thousands of descriptors takes milliseconds of this process. */
const lookEveryMs = 500;

/** What the neighbours' visitors and the console's other person met. */
export type Neighbours = { website: Measured; page: Measured };

export type ProcessUnderAttack = {
  peakMiB: number;
  /** Processor time, as a share of one core. */
  processorShare: number;
  openFiles: OpenFiles;
};

export type PlaneUnderAttack = {
  idle: Neighbours;
  attacked: Neighbours;
  ofConsole: ProcessUnderAttack;
  ofService: ProcessUnderAttack;
  /** The service is the same process as before the attack. */
  isSameService: boolean;
  /** From the end of the attack until both processes have as few descriptors open as before; infinite where that takes too long. */
  secondsUntilRest: number;
  tallies: Tallies;
};

type Times = { idleSeconds: number; attackSeconds: number; only?: string };

/**
 * Measures two accounts that have nothing to do with the attack, on a console at rest and then under attack: the visitors of one, who
 * come through the proxy service, and the page of the other. The attackers' websites stay after the attack until everything is measured.
 */
export async function measurePlaneUnderAttack(times: Times): Promise<PlaneUnderAttack> {
  const [port = 0] = await freePorts(1);
  await using website = await startWebsite({ ignoresEnd: false });
  const homeport = await startConsole({ HOMEPORT_PROXY_PORT: String(port) });
  const agent = new Agent({ keepAlive: true });
  try {
    const ada = await signUp(homeport.url, 'ada');
    const added = await ada.call('POST /api/proxies', { domain, source: website.origin });
    if (added.status !== 201) throw new Error(`The proxy was answered with ${added.status}.`);
    const ask = askWebsite(port, agent);
    const deadline = performance.now() + servedWithinMs;
    while ((await ask(0).catch(String)) !== null) {
      if (performance.now() > deadline) throw new Error(`${domain} is not served.`);
      await pause(50);
    }
    const leave = () => agent.destroy();
    return await measure(homeport, { port, ask, leave, victim: { domain, origin: website.origin } }, times);
  } finally {
    agent.destroy();
    await homeport.stop();
  }
}

function askWebsite(port: number, agent: Agent) {
  return async (index: number): Promise<string | null> => {
    const path = index % 2 === 0 ? '/' : '/kept';
    const { status, body } = await visit({ port, domain, path, from: visitor }, agent);
    return status === 200 && body === greeting ? null : `${path}: ${status} ${body.slice(0, 60)}`;
  };
}

type Measuring = {
  port: number;
  ask: ReturnType<typeof askWebsite>;
  /** The visitors of the other account's website close their connections, as they would when they have seen it. */
  leave(): void;
  victim: { domain: string; origin: string };
};

async function measure(
  homeport: Console,
  { port, ask, leave, victim }: Measuring,
  { idleSeconds, attackSeconds, only = '' }: Times,
): Promise<PlaneUnderAttack> {
  const askPage = askPages(createHttpClient(homeport.url, '127.0.0.2', cookieOf(homeport)));
  const askBoth = async (seconds: number): Promise<Neighbours> => {
    const signal = AbortSignal.timeout(seconds * 1_000);
    const [website, page] = await Promise.all([askEvenly(ask, signal), askEvenly(askPage, signal)]);
    return { website, page };
  };
  // The very first requests also make both processes compile their code.
  await askBoth(2);
  const idle = await askBoth(idleSeconds);

  const pid = await consolePid(homeport);
  const [servicePid = 0] = await servicesOf(pid);
  const processes = { console: watchProcess(pid), service: watchProcess(servicePid) };
  const files = [processes.console.openFiles, processes.service.openFiles];
  const attacker = startAttacker('plane-attack-process.ts', {
    ...{ url: homeport.url, port, victim, seconds: attackSeconds, only },
  });
  try {
    await attacker.ready;
    for (const each of Object.values(processes)) each.begin();
    const attack = attacker.attack();
    attack.catch(() => undefined);
    const looking = setInterval(() => {
      for (const each of files) each.look();
    }, lookEveryMs);
    const attacked = await askBoth(attackSeconds).finally(() => clearInterval(looking));
    const [ofConsole, ofService] = [processes.console.end(), processes.service.end()];
    const tallies = await attack;
    leave();
    const seconds = await secondsUntilRest(files, restWithinMs);
    const isSameService = (await servicesOf(pid)).join() === String(servicePid);
    await attacker.release();
    return { idle, attacked, ofConsole, ofService, isSameService, secondsUntilRest: seconds, tallies };
  } finally {
    attacker.kill();
  }
}

/** Descriptors count from here, memory and processor time from `begin`. */
function watchProcess(pid: number) {
  const openFiles = watchOpenFiles(pid);
  let begun = { memory: watchMemory(pid), usedMs: 0, at: 0 };
  return {
    openFiles,
    begin() {
      begun = { memory: watchMemory(pid), usedMs: timesOf(pid).own, at: performance.now() };
    },
    end(): ProcessUnderAttack {
      // What became of a process that ended cannot be told any more.
      const isThere = existsSync(`/proc/${pid}`);
      return {
        openFiles,
        peakMiB: isThere ? begun.memory.peakMiB() : Number.NaN,
        processorShare: isThere
          ? (timesOf(pid).own - begun.usedMs) / (performance.now() - begun.at)
          : Number.NaN,
      };
    },
  };
}
