import {
  findByToken,
  isDataError,
  isDeadlock,
  isMissingPartition,
  type KnownServer,
  type ReportBatch,
  tendPartitions,
  writeReports,
} from '@homeport/store';
import type pg from 'pg';
import { derive, type ServerState, serverStateSchema } from './derive.ts';
import type { Measurement } from './measurement.ts';

export type Outcome =
  | { kind: 'answered'; accepted: number; repeated: number; refused: number }
  | { kind: 'unknown_token' }
  /** Too much is waiting already. */
  | { kind: 'busy' };

export type Ingest = {
  /** Whether this token's server is in memory: then a post of it needs no look at the store first. */
  isCached(tokenHash: string): boolean;
  /** Whether it is any server's token. */
  isKnown(tokenHash: string): Promise<boolean>;
  /** Settles when the reports are kept durably. Measurements are in the order in which they were made. */
  submit(tokenHash: string, measurements: Measurement[], receivedAt: number): Promise<Outcome>;
  /** Waits for what was submitted. */
  close(): Promise<void>;
};

type Server = Omit<KnownServer, 'state'> & { state: ServerState | null };
type Post = {
  tokenHash: string;
  measurements: Measurement[];
  receivedAt: number;
  attempts: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
};
/** A server's reports of one batch, worked out but not kept yet. */
type Work = {
  server: Server;
  state: ServerState | null;
  latest: string;
  latestTs: number;
  posts: [Post, Outcome][];
};

const serversInMemory = 50_000;
const postsWaiting = 20_000;
const postsAtOnce = 500;
const attemptsAtMost = 5;
/** PostgreSQL works on one batch and writes another to the disk, a third is on its way there or back. */
const batchesAtOnce = 3;
/** A statement costs PostgreSQL 1 ms and each report in it 70 µs: with fewer than these, waiting for more is cheaper. */
const postsWorthOverlapping = 64;

/**
 * Gathers posts into batches of one statement each, so that the load sets the size of a batch: alone, a report is written
 * at once; under load, hundreds share a commit. No server is in two batches at once, since its second report is measured
 * against what the first one left.
 */
export function createIngest(pool: pg.Pool): Ingest {
  const servers = new Map<string, Server>();
  let waiting: Post[] = [];
  const running = new Set<Promise<void>>();
  /** Whose posts are in a batch that is being written. */
  const busy = new Set<string>();
  let starting = false;

  async function load(hashes: string[]): Promise<void> {
    if (hashes.length === 0) return;
    for (const [hash, known] of await findByToken(pool, hashes)) {
      if (servers.size >= serversInMemory) servers.delete(servers.keys().next().value ?? '');
      servers.set(hash, {
        ...known,
        state: known.state === null ? null : serverStateSchema.parse(JSON.parse(known.state)),
      });
    }
  }

  /** Posts of the same turn of the event loop share a batch, as long as they are few. */
  function startSoon(): void {
    if (starting) return;
    starting = true;
    setImmediate(() => {
      starting = false;
      startNow();
    });
  }

  function startNow(): void {
    while (running.size < batchesAtOnce && waiting.length >= (running.size > 0 ? postsWorthOverlapping : 1)) {
      const posts = takeBatch();
      if (posts.length === 0) return;
      start(posts);
    }
  }

  /** The oldest that wait, in their order, but none whose server is busy. */
  function takeBatch(): Post[] {
    const batch: Post[] = [];
    const left: Post[] = [];
    for (const post of waiting)
      (batch.length < postsAtOnce && !busy.has(post.tokenHash) ? batch : left).push(post);
    waiting = left;
    return batch;
  }

  function start(posts: Post[]): void {
    for (const { tokenHash } of posts) busy.add(tokenHash);
    const batch = keep(posts)
      .catch((error: unknown) => keepEach(posts, error))
      .then(() => {
        for (const { tokenHash } of posts) busy.delete(tokenHash);
        running.delete(batch);
        startSoon();
      });
    running.add(batch);
  }

  /** One post that PostgreSQL refuses must not take the others of its batch with it. */
  async function keepEach(posts: Post[], error: unknown): Promise<void> {
    for (const post of posts) servers.delete(post.tokenHash);
    if (isMissingPartition(error)) await tendPartitions(pool, Date.now()).catch(() => undefined);
    else if (!isDataError(error) && !isDeadlock(error)) {
      for (const post of posts) post.reject(error);
      return;
    }
    for (const post of posts) await keep([post]).catch((reason: unknown) => post.reject(reason));
  }

  async function keep(posts: Post[]): Promise<void> {
    await load([...new Set(posts.map((post) => post.tokenHash).filter((hash) => !servers.has(hash)))]);
    const works = new Map<number, Work>();
    const batch: ReportBatch = { updates: [], rows: [], appRows: [], receivedAt: 0 };
    for (const post of posts) {
      const server = servers.get(post.tokenHash);
      if (!server) {
        post.resolve({ kind: 'unknown_token' });
        continue;
      }
      const work = works.get(server.id) ?? {
        server,
        state: server.state,
        latest: '',
        latestTs: 0,
        posts: [],
      };
      works.set(server.id, work);
      work.posts.push([post, workOut(post, work, batch)]);
    }
    for (const { server, state, latest, latestTs } of works.values()) {
      if (state === server.state) continue;
      batch.updates.push({
        id: server.id,
        expected: server.version,
        state: JSON.stringify(state),
        latest,
        latestTs,
        monitorId: server.monitorId,
      });
    }
    batch.receivedAt = posts[0]?.receivedAt ?? 0;
    const kept = batch.updates.length > 0 ? await writeReports(pool, batch) : new Set<number>();
    for (const work of works.values()) settle(work, kept.has(work.server.id));
  }

  function settle({ server, state, posts }: Work, kept: boolean): void {
    const changed = state !== server.state;
    if (kept) {
      server.version += 1;
      server.state = state;
    }
    const again: Post[] = [];
    for (const [post, outcome] of posts) {
      if (kept || !changed) {
        post.resolve(outcome);
        continue;
      }
      // Another replica was quicker, or the server's token was changed: look again.
      servers.delete(post.tokenHash);
      post.attempts += 1;
      if (post.attempts > attemptsAtMost) post.resolve({ kind: 'busy' });
      else again.push(post);
    }
    // Before what came meanwhile: a report that follows a newer one of its server counts as repeated.
    if (again.length > 0) waiting = [...again, ...waiting];
  }

  return {
    isCached: (tokenHash) => servers.has(tokenHash),
    async isKnown(tokenHash) {
      if (!servers.has(tokenHash)) await load([tokenHash]);
      return servers.has(tokenHash);
    },
    submit(tokenHash, measurements, receivedAt) {
      if (waiting.length >= postsWaiting) return Promise.resolve({ kind: 'busy' });
      return new Promise((resolve, reject) => {
        waiting.push({ tokenHash, measurements, receivedAt, attempts: 0, resolve, reject });
        // Under load a turn reads hundreds of posts: PostgreSQL begins with the first while the rest are unpacked. Not
        // tried at each: where all that wait are of busy servers, each try looks at all of them.
        if (waiting.length % postsWorthOverlapping === 0) startNow();
        startSoon();
      });
    },
    async close() {
      while (waiting.length > 0 || running.size > 0) {
        if (running.size > 0) await Promise.race(running);
        else await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function workOut(post: Post, work: Work, batch: ReportBatch): Outcome {
  const counts = { kind: 'answered' as const, accepted: 0, repeated: 0, refused: 0 };
  for (const measurement of post.measurements) {
    const derived = derive(work.state, measurement, post.receivedAt, work.server);
    if (derived.kind !== 'kept') {
      counts[derived.kind] += 1;
      continue;
    }
    counts.accepted += 1;
    work.state = derived.state;
    batch.rows.push(derived.row);
    for (const row of derived.appRows) batch.appRows.push({ server: work.server.id, row });
    if (derived.row.ts < work.latestTs) continue;
    work.latest = derived.latest;
    work.latestTs = derived.row.ts;
  }
  return counts;
}
