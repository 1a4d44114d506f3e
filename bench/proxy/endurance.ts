import { connect } from 'node:net';
import { join } from 'node:path';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { startFlags } from '../start-flags.ts';
import { askMemory, type Held } from './ask-memory.ts';
import { snippet } from './content.ts';
import { sendAll } from './load.ts';
import { startPlane } from './plane.ts';

const requests = 1_000_000;
/** Half of what a whole bench may take. A run that does not get there says so. */
const secondsAtMost = 600;
/** Requests of one part: each part has every kind, and visitors that leave in the middle. */
const part = 20_000;
const leaving = 200;
const growthMiB = 16;

/**
 * Memory over many requests of mixed kinds: small, large, kept and changed answers, and visitors that leave in the middle. What the
 * last third holds at its most is compared with what the second third holds; the first third fills caches and pools.
 */
export async function measureEndurance(folder: string, site: number): Promise<void> {
  const target = `http://127.0.0.1:${site}`;
  const memoryFile = join(folder, 'memory.json');
  const sites = [
    {
      domain: 'bench.test',
      source: target,
      records: [
        { path: '/snippet', type: 'subdirectory', target, injection: snippet },
        { path: '/blog', type: 'subdirectory', target },
      ],
    },
  ];
  const plane = await startPlane(join(folder, 'endurance'), sites, {
    env: { BENCH_MEMORY_FILE: memoryFile },
    flags: [...startFlags, '--expose-gc'],
  });
  const kinds = ['/small.bin', '/large.bin', '/kept/page.html', '/snippet/page.html', '/blog/page.html'];
  try {
    const memory: number[] = [];
    const until = performance.now() + secondsAtMost * 1_000;
    let sent = 0;
    const held: Held[] = [];
    while (sent < requests && performance.now() < until) {
      for (const path of kinds) {
        const count = part / kinds.length;
        const { failed } = await sendAll({ port: plane.port, host: 'bench.test', path }, count);
        if (failed > 0) throw new Error(`${failed} of ${count} requests for ${path} failed.`);
        sent += count;
      }
      await leaveInTheMiddle(plane.port);
      sent += leaving;
      memory.push(plane.memoryMiB());
      held.push(await askMemory(plane.child.pid, memoryFile));
    }
    tellHeld(held);
    const third = Math.floor(memory.length / 3);
    const most = (from: number, to: number) => Math.max(...memory.slice(from, to));
    figure({ what: 'Memory at its most over all requests (PSS)', value: `${tidy(Math.max(...memory))} MiB` });
    figure({
      what: 'Requests of mixed kinds, a hundredth of them left in the middle',
      value: String(sent),
      budget: `≥ ${requests}`,
      kept: sent >= requests,
    });
    figureAtMost(
      `Memory grows over ${sent} requests of mixed kinds`,
      Math.max(0, most(2 * third, memory.length) - most(third, 2 * third)),
      growthMiB,
      'MiB',
    );
  } finally {
    await plane.stop();
  }
}

function tellHeld(held: readonly Held[]): void {
  const inMiB = (one: Held | undefined) =>
    `${tidy((one?.rss ?? Number.NaN) / 1_048_576)} MiB, ${tidy((one?.heapUsed ?? Number.NaN) / 1_048_576)} MiB`;
  for (const [what, one] of [
    ['after the first part', held[0]],
    ['in the middle', held[Math.floor(held.length / 2)]],
    ['at the end', held.at(-1)],
  ] as const)
    figure({ what: `Memory (RSS) and heap in use ${what}`, value: inMiB(one) });
}

/** Visitors that go when the answer has begun. */
async function leaveInTheMiddle(port: number): Promise<void> {
  await Promise.all(
    Array.from(
      { length: leaving },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1');
          socket.on('error', () => undefined).once('close', () => resolve());
          socket.once('data', () => socket.destroy());
          socket.write('GET /large.bin HTTP/1.1\r\nHost: bench.test\r\n\r\n');
        }),
    ),
  );
}
