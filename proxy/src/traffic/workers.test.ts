import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createUseCounter } from '../measure/use-counter.ts';
import type { TrafficSettings } from './traffic.ts';
import { createWorkers } from './workers.ts';

const settings: TrafficSettings = {
  ...{ host: '127.0.0.1', port: 0, id: 'homeport-test', proofKey: '', bodyBytes: null },
  trusted: { networks: [], cdnNetworks: [], secretHash: null },
  upstreams: { allowPrivate: [], own: { ports: [], names: [] } },
};

it('begins a worker that ends again and again after pauses that double up to half a minute, and soon again one that had lived', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-workers-'));
  const program = join(folder, 'ends-at-once.mjs');
  await writeFile(program, 'process.exit(3);');
  const pauses: number[] = [];
  const reported: string[] = [];
  let now = 0;
  let enough: () => void = () => undefined;
  const tried = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const workers = createWorkers({
    ...{ settings, program, count: 1, heapMiB: 64, use: createUseCounter(Date.now) },
    report(error) {
      reported.push(String(error));
      // The eleventh worker lives for longer than a minute.
      if (pauses.length === 10) now += 60_001;
    },
    time: {
      now: () => now,
      after(ms, work) {
        pauses.push(ms);
        if (pauses.length < 13) queueMicrotask(work);
        else enough();
        return () => undefined;
      },
    },
  });
  try {
    await expect(workers.listen()).rejects.toThrow('ended at its start');
    await tried;
    expect(pauses).toEqual([
      ...[100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000],
      ...[100, 200, 400],
    ]);
    expect(reported).toContain('Error: it ended with 3');
    expect(workers.processes()).toBe(0);
  } finally {
    await workers.drain();
    await rm(folder, { recursive: true });
  }
});

/** A worker that answers a purge, and whose word that it serves comes after that: it listens by then. */
const slowToSay = `
let listens;
process.on('message', (order) => {
  if (order.kind === 'listen') {
    listens = order.call;
    process.send({ kind: 'failed', text: 'listens' });
  }
  if (order.kind === 'purge') {
    process.send({ kind: 'done', call: order.call, purged: 2 });
    process.send({ kind: 'done', call: listens, purged: null });
  }
  if (order.kind === 'drain') process.exit();
});
process.send({ kind: 'ready' });
`;

it('a purge reaches a worker that listens and has not said so yet, because visitors may have filled its cache', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-workers-'));
  const program = join(folder, 'slow-to-say.mjs');
  await writeFile(program, slowToSay);
  let heard: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const workers = createWorkers({
    ...{ settings, program, count: 1, heapMiB: 64, use: createUseCounter(Date.now) },
    report: (error) => void (String(error).includes('listens') && heard()),
  });
  try {
    expect(await workers.purge('https://example.test/')).toBe(0);
    const serving = workers.listen();
    await listening;
    expect(workers.processes()).toBe(0);
    expect(await workers.purge('https://example.test/')).toBe(2);
    await serving;
    expect(workers.processes()).toBe(1);
    expect(await workers.purge('example.test')).toBeNull();
  } finally {
    await workers.drain();
    await rm(folder, { recursive: true });
  }
});

it('ends at once although a worker has not begun to hear orders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-workers-'));
  const program = join(folder, 'never-ready.mjs');
  await writeFile(program, 'setInterval(() => undefined, 1_000);');
  const workers = createWorkers({
    ...{ settings, program, count: 1, heapMiB: 64, use: createUseCounter(Date.now), report: () => undefined },
  });
  const serving = expect(workers.listen()).rejects.toThrow('ended at its start');
  await workers.drain();
  await serving;
  await rm(folder, { recursive: true });
});
