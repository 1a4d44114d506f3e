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

export type Measured = { latenciesMs: number[]; refused: string[] };

/** Sends one request after another at an even pace until the signal, however long each takes. Resolves with the time of each. */
export async function askAsNeighbour(
  client: HttpClient,
  signal: AbortSignal,
  onAnswer: () => void = () => {},
): Promise<Measured> {
  const latenciesMs: number[] = [];
  const refused: string[] = [];
  const underWay: Promise<void>[] = [];
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
  return { latenciesMs, refused };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
