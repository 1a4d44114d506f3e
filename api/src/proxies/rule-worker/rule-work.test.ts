import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleWorkLimits } from '@homeport/contract/proxies/facts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildRuleWorker } from '../../testing/rule-worker.ts';
import { createRuleWork, type RuleWork } from './rule-work.ts';

let folder: string;
let works: RuleWork[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-rule-work-'));
});
afterEach(async () => {
  await Promise.all(works.map((work) => work.close()));
  works = [];
  await rm(folder, { recursive: true, force: true });
});

async function start(limits: Partial<typeof ruleWorkLimits> = {}, program?: string): Promise<RuleWork> {
  const work = createRuleWork(program ?? (await buildRuleWorker()), { ...ruleWorkLimits, ...limits });
  works.push(work);
  return work;
}

/** A program in place of the worker, which runs `source` with what is asked and answers with its value. */
async function program(source: string): Promise<string> {
  const path = join(folder, 'program.mjs');
  await writeFile(
    path,
    `import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ asked: { body, text } }) => {
      parentPort.postMessage({ kind: 'begun' });
      const answer = (() => { ${source} })();
      parentPort.postMessage({ kind: 'done', answer });
    });`,
  );
  return path;
}

const definition = { id: '', domain: 'quay.test', source: 'https://a.test', records: [] };
const asked = (text = '') => ({ body: new Uint8Array(), text });
/** Says how many jobs run at once, and goes on when the test opens the gate. */
const atGate = `const gate = new Int32Array(body.buffer);
  Atomics.add(gate, 0, 1);
  Atomics.wait(gate, 1, 0);
  return Atomics.sub(gate, 0, 1);`;
function makeGate() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  return {
    job: { body: new Uint8Array(shared.buffer), text: '' },
    running: () => Atomics.load(shared, 0),
    open() {
      Atomics.store(shared, 1, 1);
      Atomics.notify(shared, 1);
    },
  };
}

it('answers by the rules as the data plane will, and says what does not compile', async () => {
  const work = await start();
  const urls = ['/a', 'https://other.test/'];
  expect(await work.run('ada', 'check', { definition, urls })).toEqual({
    tests: [
      { url: '/a', takenBy: 'source', gets: 'https://a.test/a' },
      { url: 'https://other.test/', takenBy: null, gets: 'not_handled' },
    ],
    warnings: [],
  });
  expect(
    await work.run('ada', 'check', { definition: { ...definition, source: 'ftp://a.test' }, urls }),
  ).toEqual({
    problems: [{ rule: 'source', field: 'source', code: 'target_scheme' }],
  });
  expect(await work.run('ada', 'locate', { definition, url: '/a?b#c' })).toEqual({
    ...{ rule: 'source', path: '/a?b' },
  });
});

it('ends a search that is written to take minutes, and goes on with the next job', async () => {
  const work = await start({ ms: 300 });
  const half = 'a'.repeat(32 * 1024);
  const hostile = { body: Buffer.alloc(1024 * 1024, 'a'), text: `${half}b${half}` };
  await expect(work.run('ada', 'contains', hostile)).rejects.toMatchObject({ end: 'time' });
  expect(await work.run('ada', 'contains', { body: Buffer.from('ahoy'), text: 'oy' })).toBe(true);
});

it('ends the trying of patterns that holds the thread for longer than it may, although each is within its bound', async () => {
  const work = await start({ ms: 200 });
  const rule = { ...ruleAt('/'), pathRewriteSrc: '^/(?:a?){100}$', pathRewriteDest: '/' };
  // Each takes tens of microseconds, so that all take several seconds on any machine.
  const urls = new Array<string>(200_000).fill(`/${'a'.repeat(100)}`);
  const heavy = { definition: { ...definition, records: [rule] }, urls };
  await expect(work.run('ada', 'check', heavy)).rejects.toMatchObject({ end: 'time' });
});

const ruleAt = (path: string) => ({
  ...{ id: 'a', path, type: 'simple' as const, target: 'https://a.test', xForwardedHost: '' },
  ...{ proxyPathPrefix: '', pathRewriteSrc: '', pathRewriteDest: '', injection: '' },
});

it('ends a thread that takes too much memory, and the console goes on', async () => {
  const work = await start(
    // Close to its bound, V8 collects garbage for seconds on a busy machine.
    { heapBytes: 16 * 1024 * 1024, ms: 15_000 },
    await program(`if (text !== 'grow') return true;
      const kept = [];
      for (;;) kept.push({ many: new Array(1000).fill(text + kept.length) });`),
  );
  const failure = await work.run('ada', 'contains', asked('grow')).catch((error: unknown) => error);
  // Node 24 collects garbage for ever now and then, where Node 20 and 22 end the thread. Its time ends it then.
  const ends = Number.parseInt(process.versions.node, 10) < 24 ? ['memory'] : ['memory', 'time'];
  expect(ends).toContain((failure as { end?: unknown }).end);
  expect(await work.run('ada', 'contains', asked())).toBe(true);
}, 60_000);

it('fails the job of a thread that ends by itself, or cannot begin, and no other job', async () => {
  const work = await start({}, await program(`return text === 'exit' ? process.exit(3) : true;`));
  const [ended, other] = await Promise.allSettled([
    work.run('ada', 'contains', asked('exit')),
    work.run('eve', 'contains', asked()),
  ]);
  expect(ended).toMatchObject({ status: 'rejected', reason: { end: 'ended' } });
  expect(other).toEqual({ status: 'fulfilled', value: true });
  const without = await start({}, join(folder, 'missing.mjs'));
  await expect(without.run('ada', 'contains', asked())).rejects.toMatchObject({ end: 'ended' });
});

it('does one job at a time for a person, and gives another person the next thread', async () => {
  const work = await start({ threads: 2 }, await program(atGate));
  const [mine, theirs] = [makeGate(), makeGate()];
  const jobs = [work.run('ada', 'contains', mine.job), work.run('ada', 'contains', mine.job)];
  const other = work.run('eve', 'contains', theirs.job);
  await expect.poll(() => [mine.running(), theirs.running()]).toEqual([1, 1]);
  theirs.open();
  expect(await other).toBe(1);
  // A thread is free now, and the second job of the same person still waits.
  expect(mine.running()).toBe(1);
  mine.open();
  expect(await Promise.all(jobs)).toEqual([1, 1]);
});

it('gives persons turns: one with many jobs keeps nobody waiting for all of them', async () => {
  const work = await start({ threads: 1 }, await program('return text;'));
  const done: unknown[] = [];
  const run = async (person: string, text: string) =>
    done.push(await work.run(person, 'contains', asked(text)));
  await Promise.all([run('eve', 'e1'), run('eve', 'e2'), run('eve', 'e3'), run('ada', 'a1')]);
  expect(done).toEqual(['e1', 'e2', 'a1', 'e3']);
});

it('refuses a job of a person of whom as many wait as may, and takes those of others', async () => {
  const gate = makeGate();
  const work = await start({ threads: 1, waiting: 2 }, await program(atGate));
  const jobs = [1, 2, 3].map(() => work.run('eve', 'contains', gate.job));
  await expect(work.run('eve', 'contains', gate.job)).rejects.toMatchObject({ code: 'too_many' });
  jobs.push(work.run('ada', 'contains', gate.job));
  gate.open();
  expect(await Promise.all(jobs)).toHaveLength(4);
});

it('has no thread at rest: an idle one ends', async () => {
  const work = await start({ idleMs: 1 }, await program('return threadId;'));
  const first = await work.run('ada', 'contains', asked());
  await expect.poll(() => work.run('ada', 'contains', asked())).not.toBe(first);
  await expect.poll(() => work.threads).toBe(0);
});

it('fails what is under way and what waits when the console ends', async () => {
  const work = await start({ threads: 1 }, await program('for (;;);'));
  const jobs = [work.run('ada', 'contains', asked()), work.run('ada', 'contains', asked())];
  const ended = Promise.allSettled(jobs);
  await work.close();
  expect(await ended).toMatchObject(jobs.map(() => ({ status: 'rejected', reason: { end: 'ended' } })));
  await expect(work.run('ada', 'contains', asked())).rejects.toMatchObject({ end: 'ended' });
});
