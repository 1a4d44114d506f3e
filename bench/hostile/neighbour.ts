import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from './http-client.ts';

/** Slow enough for the limit of requests a minute of one address. */
const betweenMs = 60;
/** How often this process looks whether it is late. */
const sampleMs = 5;

/** Asks once, and resolves with what was wrong with the answer, or null. */
type Ask = (index: number) => Promise<string | null>;

export type Measured = {
  latenciesMs: number[];
  /** What was wrong with other answers. */
  refused: string[];
  /** How late this process itself was, at the 99th percentile: that much of an answer's time need not be the console's. */
  ownDelayMs: number;
};

/** The requests of another person's page during the attack. */
const requests = [
  'GET /api/session',
  'GET /api/servers',
  'GET /api/apps',
  'GET /api/operations?active=true',
  'GET /login',
] as const;

/** What another person's page asks for, in turn. */
export function askPages(client: HttpClient): Ask {
  return async (index) => {
    const key = requests[index % requests.length] ?? requests[0];
    const { status } = await client.call(key);
    return status === 200 ? null : `${key}: ${status}`;
  };
}

/** Sends one request after another at an even pace until the signal, however long each takes. Resolves with the time of each. */
export async function askEvenly(
  ask: Ask,
  signal: AbortSignal,
  onAnswer: () => void = () => {},
): Promise<Measured> {
  const latenciesMs: number[] = [];
  const refused: string[] = [];
  const underWay: Promise<void>[] = [];
  const delay = monitorEventLoopDelay({ resolution: sampleMs });
  delay.enable();
  for (let index = 0; !signal.aborted; index += 1) {
    const begin = performance.now();
    underWay.push(
      ask(index).then(
        (wrong) => {
          onAnswer();
          latenciesMs.push(performance.now() - begin);
          if (wrong !== null) refused.push(wrong);
        },
        (error: unknown) => void refused.push(String(error)),
      ),
    );
    await pause(betweenMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(underWay);
  delay.disable();
  return { latenciesMs, refused, ownDelayMs: Math.max(0, delay.percentile(99) / 1e6 - sampleMs) };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
