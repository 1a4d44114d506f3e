import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartError } from '../start-error.ts';
import { type StandInName, type StandInReport, standInReportSchema } from './stand-in-report.ts';

/** The program of `stand-in-process.ts` beside the bundle; scripts/build.mjs writes both. */
const program = fileURLToPath(new URL('../../dist/stand-in.js', import.meta.url));

const answersWithinMs = 20_000;
/** A stand-in that ended by itself is begun anew after this time; after twice as much each further time. */
const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** One that lived this long ended for a new cause, so that the pause is short again. */
const healthyMs = 60_000;

export type StandInProcess = StandInReport & { close(): Promise<void> };

/**
 * Starts a service of the demo as a process of its own, and begins it anew on the same port if it ends. It ends with the console,
 * also with a killed one. Throws `StartError` when it does not answer in time.
 */
export async function startStandIn(
  name: StandInName,
  port: number,
  report: (error: Error) => void,
): Promise<StandInProcess> {
  let child = begin(name, port);
  let pause: NodeJS.Timeout | undefined;
  let isEnding = false;
  const first = await firstReport(child).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new StartError(
      `The demo’s stand-in for ${titles[name]} did not start: ${error instanceof Error ? error.message : error}`,
      'Run `npm run build`, then start the demo again.',
    );
  });
  watch(firstPauseMs);

  function watch(pauseMs: number): void {
    const begunAt = performance.now();
    child.on('error', report);
    child.once('exit', (code, signal) => {
      if (isEnding) return;
      report(new Error(`The demo’s stand-in for ${titles[name]} ended with ${signal ?? code}.`));
      const wait = performance.now() - begunAt > healthyMs ? firstPauseMs : pauseMs;
      pause = setTimeout(() => void beginAgain(wait), wait);
    });
  }

  async function beginAgain(pauseMs: number): Promise<void> {
    child = begin(name, Number(new URL(first.url).port));
    const longer = Math.min(pauseMs * 2, longestPauseMs);
    watch(longer);
    // The settings name the old address. A stand-in that got another port goes, and is tried again.
    const told = await firstReport(child).catch(() => null);
    if (told?.url !== first.url) child.kill('SIGKILL');
  }

  return {
    ...first,
    async close() {
      isEnding = true;
      clearTimeout(pause);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const titles: Record<StandInName, string> = { cloudflare: 'Cloudflare', github: 'GitHub' };

const begin = (name: StandInName, port: number): ChildProcess =>
  spawn(process.execPath, [program, name, String(port)], {
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** Rejects when the process ends, or takes too long. */
async function firstReport(child: ChildProcess): Promise<StandInReport> {
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, AbortSignal.timeout(answersWithinMs)]);
  try {
    const told = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code, by]) => {
        throw new Error(`it ended with ${by ?? code}`);
      }),
    ]);
    return standInReportSchema.parse(told[0]);
  } finally {
    leave.abort();
  }
}
