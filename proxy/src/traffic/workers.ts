import cluster, { type Worker } from 'node:cluster';
import { purgedBy } from '../cache/purge-beginning.ts';
import type { UseCounter } from '../measure/use-counter.ts';
import { createSiteTable, type SiteTable, type SiteText } from '../reload/site-table.ts';
import { type Order, type Report, reportSchema } from './messages.ts';
import type { Traffic, TrafficSettings } from './traffic.ts';

/** After its death a worker is begun anew so much later; twice as much after each further death. */
const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** A worker that lived this long died of a new cause, so that the pause before the next start is short again. */
const healthyMs = 60_000;
const sitesAtOnce = 200;
/** Longer than a worker's own time for its drain. */
const drainMs = 35_000;

type Call = { resolve(purged: number | null): void; reject(error: Error): void };
/**
 * `hears`: it was told to listen, so visitors may come to it from now on. `isServing`: it said that it listens, a moment later.
 */
type Member = {
  worker: Worker;
  hears: boolean;
  isServing: boolean;
  calls: Map<number, Call>;
  ready: () => void;
};

/** A monotonic clock in milliseconds, and its alarm. What `after` gives takes the alarm back. */
type Time = { now(): number; after(ms: number, work: () => void): () => void };

const ownTime: Time = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export type WorkersDeps = {
  settings: TrafficSettings;
  /** The program of `worker.ts`. */
  program: string;
  count: number;
  /** The most that JavaScript of one worker may take. A worker that outgrows it dies and is begun anew. */
  heapMiB: number;
  use: UseCounter;
  report(error: unknown, what: string): void;
  time?: Time;
};

type Asking = { kind: 'listen' | 'settle' | 'drain' } | { kind: 'purge'; startsWith: string };

function send({ worker }: Member, order: Order): void {
  if (worker.isConnected()) worker.send(order, () => undefined);
}

let lastCall = 0;

/** Resolves when the worker has done it: with how many answers it dropped, for a purge. */
function ask(member: Member, order: Asking): Promise<number | null> {
  lastCall += 1;
  const call = lastCall;
  return new Promise((resolve, reject) => {
    member.calls.set(call, { resolve, reject });
    send(member, { ...order, call });
  });
}

function hearAnswer(member: Member, told: Extract<Report, { call: number }>): void {
  const call = member.calls.get(told.call);
  member.calls.delete(told.call);
  if (told.kind === 'done') call?.resolve(told.purged);
  else call?.reject(Object.assign(new Error(`A process could not serve: ${told.code}`), { code: told.code }));
}

/**
 * The workers share the listening socket, so the kernel gives each connection to one that lives. With the default of Node the first
 * process hands connections out, also to a worker whose death it has not heard of, and such a connection hangs for ever.
 */
function prepareCluster({ program, heapMiB }: WorkersDeps): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const execArgv = [`--max-old-space-size=${heapMiB}`];
  cluster.setupPrimary({ exec: program, args: [], execArgv, silent: false });
}

/**
 * Answers the visitors in several processes. This process reads the store for all of them, and begins a worker anew that died. What a
 * dead worker had under way is lost; the others go on.
 */
export function createWorkers(deps: WorkersDeps): Traffic {
  const { settings, count, use, report, time = ownTime } = deps;
  const members = new Set<Member>();
  const pauses = new Set<() => void>();
  let isEnding = false;
  prepareCluster(deps);

  const tellAll = (order: Order) => {
    for (const member of members) send(member, order);
  };
  const table = tellingTable(createSiteTable(), tellAll);

  /** Asks all that visitors may have come to. One that dies meanwhile has nothing left to do. */
  async function askAll(order: Asking): Promise<(number | null)[]> {
    const hearing = [...members].filter(({ hears }) => hears);
    const answers = await Promise.allSettled(hearing.map((member) => ask(member, order)));
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null));
  }

  function start(pauseMs: number): Promise<void> {
    const begunAt = time.now();
    const worker = cluster.fork();
    const member = newMember(worker);
    members.add(member);
    const served = new Promise<void>((resolve, reject) => {
      member.ready = () =>
        void serve(member).then(resolve, (error: unknown) => {
          // A worker that cannot serve goes, and another one is tried after a pause.
          worker.process.kill('SIGKILL');
          reject(error);
        });
      worker.once('exit', () => reject(new Error('A process of the proxy service ended at its start.')));
    });
    worker.on('message', (message) => hear(member, message));
    worker.on('error', (error) => report(error, 'a process of the proxy service'));
    worker.once('exit', (code, signal) => {
      members.delete(member);
      for (const { reject } of member.calls.values()) reject(new Error('The process ended.'));
      if (isEnding) return;
      report(new Error(`it ended with ${signal ?? code}`), 'a process of the proxy service');
      const wait = time.now() - begunAt > healthyMs ? firstPauseMs : pauseMs;
      const takeBack = time.after(wait, () => {
        pauses.delete(takeBack);
        start(Math.min(wait * 2, longestPauseMs)).catch((error: unknown) =>
          report(error, 'starting a process of the proxy service'),
        );
      });
      pauses.add(takeBack);
    });
    return served;
  }

  /** Tells a worker all that it needs. What changes from here on reaches it in its turn. */
  async function serve(member: Member): Promise<void> {
    send(member, { kind: 'begin', settings });
    for (const sites of inParts([...table.all()])) send(member, { kind: 'restore', sites });
    const listening = ask(member, { kind: 'listen' });
    member.hears = true;
    await listening;
    member.isServing = true;
  }

  function hear(member: Member, message: unknown): void {
    const read = reportSchema.safeParse(message);
    if (!read.success) return;
    const told = read.data;
    if (told.kind === 'ready') member.ready();
    else if (told.kind === 'use') use.giveBack(told.use);
    else if (told.kind === 'failed') report(new Error(told.text), 'answering a request');
    else hearAnswer(member, told);
  }

  return {
    table,
    async listen() {
      await Promise.all(Array.from({ length: count }, () => start(firstPauseMs)));
    },
    async purge(startsWith) {
      // It is no fault of the caller that no worker lives now. The other planes have to hear of the purge all the same.
      if (purgedBy(startsWith) === null) return null;
      const counts = await askAll({ kind: 'purge', startsWith });
      return counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    },
    async settled() {
      await askAll({ kind: 'settle' });
    },
    processes: () => [...members].filter(({ isServing }) => isServing).length,
    async drain() {
      isEnding = true;
      for (const takeBack of pauses) takeBack();
      await endAll(members);
    },
  };
}

function newMember(worker: Worker): Member {
  return { worker, hears: false, isServing: false, calls: new Map(), ready: () => undefined };
}

/** Lets what the workers have under way end, and ends those that take too long. */
async function endAll(members: ReadonlySet<Member>): Promise<void> {
  const late = setTimeout(() => {
    for (const { worker } of members) worker.process.kill('SIGKILL');
  }, drainMs);
  await Promise.all(
    [...members].map(async (member) => {
      const ended = new Promise((resolve) => member.worker.once('exit', resolve));
      // It would not hear of its end, and no visitor has come to it.
      if (!member.hears) member.worker.process.kill('SIGKILL');
      else await ask(member, { kind: 'drain' }).catch(() => undefined);
      await ended;
    }),
  );
  clearTimeout(late);
}

/** A table whose changes others hear of, in their order. */
function tellingTable(table: SiteTable, tell: (order: Order) => void): SiteTable {
  return {
    find: table.find,
    serves: table.serves,
    put(site) {
      const refusal = table.put(site);
      if (refusal === null) tell({ kind: 'put', site: textOf(site) });
      return refusal;
    },
    restore(site) {
      table.restore(site);
      tell({ kind: 'restore', sites: [textOf(site)] });
    },
    remove(proxy) {
      table.remove(proxy);
      tell({ kind: 'remove', proxy });
    },
    free(name) {
      table.free(name);
      tell({ kind: 'free', name });
    },
    onGone: table.onGone,
    all: table.all,
    get size() {
      return table.size;
    },
  };
}

const textOf = ({ id, domain, owner, version, text }: SiteText): SiteText => ({
  ...{ id, domain, owner, version, text },
});

function* inParts(sites: readonly SiteText[]): Generator<SiteText[]> {
  for (let at = 0; at < sites.length; at += sitesAtOnce) yield sites.slice(at, at + sitesAtOnce).map(textOf);
}
