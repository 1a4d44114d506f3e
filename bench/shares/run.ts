import { figure, figureAtMost, median, tidy } from '../figure.ts';
import { slowestPathMs } from './hostile-patterns.ts';
import { heldMs, startWithProxies } from './with-proxies.ts';

const lists = 30;
const kills = 3;

type Subject = Awaited<ReturnType<typeof startWithProxies>>;

/** Measures what one account’s rules and visitors cost everybody else. */
async function main(): Promise<void> {
  figureAtMost('The slowest path of the hardest patterns that are not refused', slowestPathMs(), 20, 'ms');
  const subject = await startWithProxies();
  try {
    await measureLists(subject);
    await measureHeld(subject);
    await measureKills(subject);
  } finally {
    await subject.stop();
  }
}

async function measureLists({ timeOf, watchMemory }: Subject): Promise<void> {
  // The first request of a session also makes the console compile its routes.
  await timeOf('/api/session');
  const memory = watchMemory();
  const times = await repeat(lists, () => timeOf('/api/proxies'));
  const grown = memory.peakMiB() - memory.atFirstMiB;
  figureAtMost('GET /api/proxies of an account at its ceilings, median', median(times), 100, 'ms');
  figure({ what: 'The same, the slowest', value: `${tidy(Math.max(...times))} ms` });
  figureAtMost(
    `Memory of the console at its most during ${lists} of these, over that before (RSS)`,
    grown,
    50,
    'MiB',
  );
}

async function measureHeld({ timeOf, holdService, visit }: Subject): Promise<void> {
  const until = performance.now() + heldMs;
  await holdService();
  const visitor = visit();
  const health: number[] = [];
  while (performance.now() < until) health.push(await timeOf('/healthz'));
  health.sort((a, b) => a - b);
  figureAtMost(
    '/healthz while the proxy service is held at 100 %, p99',
    health[Math.floor(health.length * 0.99)] ?? Number.NaN,
    50,
    'ms',
  );
  figure({ what: 'A visitor of the held service waits', value: `${tidy(await visitor)} ms` });
}

async function measureKills({ killService }: Subject): Promise<void> {
  const pauses = await repeat(kills, killService);
  figureAtMost(
    'A visitor after kill -9 of the proxy service, longest pause',
    Math.max(...pauses),
    2_000,
    'ms',
  );
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) all.push(await work());
  return all;
}

await main();
