import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from './http-client.ts';

/** The requests of another person's page during the attack. */
const requests = [
  'GET /api/session',
  'GET /api/servers',
  'GET /api/apps',
  'GET /api/operations?active=true',
  'GET /login',
] as const;

/** Slow enough for the limit of requests a minute of one address. */
const betweenMs = 60;

export type Measured = {
  latenciesMs: number[];
  refused: string[];
  /** How late this process itself was, at the 99th percentile: that much of an answer's time need not be the console's. */
  ownDelayMs: number;
};

/** How often this process looks whether it is late. */
const sampleMs = 5;

/** Sends one request after another at an even pace until the signal, however long each takes. Resolves with the time of each. */
export async function askAsNeighbour(
  client: HttpClient,
  signal: AbortSignal,
  onAnswer: () => void = () => {},
): Promise<Measured> {
  const latenciesMs: number[] = [];
  const refused: string[] = [];
  const underWay: Promise<void>[] = [];
  const delay = monitorEventLoopDelay({ resolution: sampleMs });
  delay.enable();
  for (let index = 0; !signal.aborted; index += 1) {
    const key = requests[index % requests.length] ?? requests[0];
    const begin = performance.now();
    underWay.push(
      client.call(key).then(
        ({ status }) => {
          onAnswer();
          latenciesMs.push(performance.now() - begin);
          if (status !== 200) refused.push(`${key}: ${status}`);
        },
        (error: unknown) => void refused.push(`${key}: ${error}`),
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
