import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { keepPosts, type Outcome, type Post } from './keep-posts.ts';
import { createKnownServers } from './known-servers.ts';
import type { Measurement } from './measurement.ts';
import { createReportNews } from './report-news.ts';

export type Ingest = {
  /** Whether this token's server is in memory. A post of such a server needs no query to the store first. */
  isCached(tokenHash: string): boolean;
  /** Whether any server has this token. */
  isKnown(tokenHash: string): Promise<boolean>;
  /** Settles when the reports are stored durably. `measurements` are in the order in which they were made. */
  submit(tokenHash: string, measurements: Measurement[], receivedAt: number): Promise<Outcome>;
  /** Waits for all submitted reports. */
  close(): Promise<void>;
};

const postsWaiting = 20_000;
const postsAtOnce = 500;
/** PostgreSQL works on one batch and writes another to the disk, a third is on its way there or back. */
const batchesAtOnce = 3;
/** A statement costs PostgreSQL 1 ms, and each report in it 70 µs. With fewer posts than these, waiting for more is cheaper. */
const postsWorthOverlapping = 64;

/**
 * Gathers posts into batches of one statement each. The load sets the size of a batch: a single report is written at once, and
 * under load hundreds share a commit. A report is measured against the report before it, so no server is in two batches at once.
 */
export function createIngest(pool: pg.Pool, log: Pick<FastifyBaseLogger, 'error'>): Ingest {
  const news = createReportNews(pool, (error) =>
    log.error({ err: error }, 'pages were not notified of reports'),
  );
  const servers = createKnownServers(pool);
  let waiting: Post[] = [];
  const running = new Set<Promise<void>>();
  /** The servers whose posts are in a batch that is being written. */
  const busy = new Set<string>();
  let starting = false;

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

  /** The oldest waiting posts in their order, without those whose server is busy. */
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
    const batch = keepPosts({ pool, servers, news }, posts).then((again) => {
      // Before what came meanwhile: a report that follows a newer one of its server counts as repeated.
      if (again.length > 0) waiting = [...again, ...waiting];
      for (const { tokenHash } of posts) busy.delete(tokenHash);
      running.delete(batch);
      startSoon();
    });
    running.add(batch);
  }

  return {
    isCached: (tokenHash) => servers.has(tokenHash),
    async isKnown(tokenHash) {
      await servers.load([tokenHash]);
      return servers.has(tokenHash);
    },
    submit(tokenHash, measurements, receivedAt) {
      if (waiting.length >= postsWaiting) return Promise.resolve({ kind: 'busy' });
      return new Promise((resolve, reject) => {
        waiting.push({ tokenHash, measurements, receivedAt, attempts: 0, resolve, reject });
        // Under load a turn reads hundreds of posts, so PostgreSQL begins with the first while the rest are unpacked. Each try
        // scans all waiting posts when their servers are busy, so only some posts cause a try.
        if (waiting.length % postsWorthOverlapping === 0) startNow();
        startSoon();
      });
    },
    async close() {
      while (waiting.length > 0 || running.size > 0) {
        if (running.size > 0) await Promise.race(running);
        else await new Promise((resolve) => setImmediate(resolve));
      }
      await news.close();
    },
  };
}
