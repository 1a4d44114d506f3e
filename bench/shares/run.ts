import { rm } from 'node:fs/promises';
import { figureAtMost, median } from '../figure.ts';
import { slowestPathMs } from './hostile-patterns.ts';
import { heldMs, startWithProxies } from './with-proxies.ts';

const kills = 3;

/** Measures what one account’s rules and visitors cost everybody else. */
async function main(): Promise<void> {
  figureAtMost('The slowest path of the hardest patterns that are not refused', slowestPathMs(), 20, 'ms');

  const subject = await startWithProxies();
  try {
    const rest = await subject.memoryMiB();
    const lists = await repeat(30, () => subject.timeOf('/api/proxies'));
    const grown = (await subject.memoryMiB()) - rest;
    figureAtMost('GET /api/proxies of an account at its ceilings, median', median(lists), 100, 'ms');
    figureAtMost('Memory of the console after 30 of these over that before', Math.max(0, grown), 50, 'MiB');

    const until = performance.now() + heldMs;
    await subject.holdService();
    const health: number[] = [];
    while (performance.now() < until) health.push(await subject.timeOf('/healthz'));
    health.sort((a, b) => a - b);
    figureAtMost(
      '/healthz while the proxy service is held at 100 %, p99',
      health[Math.floor(health.length * 0.99)] ?? Number.NaN,
      50,
      'ms',
    );

    const pauses = await repeat(kills, () => subject.killService());
    figureAtMost(
      'A visitor after kill -9 of the proxy service, longest pause',
      Math.max(...pauses),
      2_000,
      'ms',
    );
  } finally {
    await subject.stop();
    await rm(subject.folder, { recursive: true, force: true });
  }
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) all.push(await work());
  return all;
}

await main();
