import {
  isDataError,
  isDeadlock,
  isMissingPartition,
  keepBackupRuns,
  keepProvider,
  type ReportBatch,
  tendPartitions,
  writeReports,
} from '@homeport/store';
import type pg from 'pg';
import { derive, type ServerState } from './derive.ts';
import type { KnownServers, ReportingServer } from './known-servers.ts';
import type { Measurement } from './measurement.ts';
import type { ReportNews } from './report-news.ts';

export type Outcome =
  | { kind: 'answered'; accepted: number; repeated: number; refused: number }
  | { kind: 'unknown_token' }
  /** Too much is waiting already. */
  | { kind: 'busy' };

export type Post = {
  tokenHash: string;
  /** In the order in which they were made. */
  measurements: Measurement[];
  receivedAt: number;
  attempts: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
};

type Deps = { pool: pg.Pool; servers: KnownServers; news: ReportNews };
/** The reports of one server in a batch, computed but not stored yet. */
type Work = {
  server: ReportingServer;
  state: ServerState | null;
  latest: string;
  latestTs: number;
  posts: [Post, Outcome][];
};

const attemptsAtMost = 5;

/** Stores posts with one statement and answers them. Returns the posts to try again, because their servers changed meanwhile. */
export async function keepPosts(deps: Deps, posts: readonly Post[]): Promise<Post[]> {
  try {
    return await keep(deps, posts);
  } catch (error) {
    return keepEach(deps, posts, error);
  }
}

/** One post that PostgreSQL refuses must not take the others of its batch with it. */
async function keepEach(deps: Deps, posts: readonly Post[], error: unknown): Promise<Post[]> {
  for (const post of posts) deps.servers.forget(post.tokenHash);
  // By the monitor's clock, as the rows are: that of the process may be of another day.
  const now = Math.max(...posts.map((post) => post.receivedAt));
  if (isMissingPartition(error)) await tendPartitions(deps.pool, now).catch(() => undefined);
  else if (!isDataError(error) && !isDeadlock(error)) {
    for (const post of posts) post.reject(error);
    return [];
  }
  const again: Post[] = [];
  for (const post of posts) {
    try {
      again.push(...(await keep(deps, [post])));
    } catch (reason) {
      post.reject(reason);
    }
  }
  return again;
}

async function keep({ pool, servers, news }: Deps, posts: readonly Post[]): Promise<Post[]> {
  await servers.load(posts.map((post) => post.tokenHash));
  const works = new Map<number, Work>();
  const batch: ReportBatch = { updates: [], rows: [], appRows: [], receivedAt: posts[0]?.receivedAt ?? 0 };
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
    // Before the agent has its answer: what it was not answered for, it tells again. So a repeated report counts here too.
    await keepBackupRuns(
      pool,
      { series: server.id },
      post.measurements.flatMap((measurement) => measurement.backups),
    );
    await keepNamedProvider(pool, server, post.measurements);
  }
  for (const { server, state, latest, latestTs } of works.values()) {
    if (state === server.state) continue;
    batch.updates.push({
      id: server.id,
      expected: server.version,
      state: JSON.stringify(state),
      latest,
      latestTs,
    });
  }
  const kept = batch.updates.length > 0 ? await writeReports(pool, batch) : new Set<number>();
  const again = [...works.values()].flatMap((work) => settle(work, kept.has(work.server.id), servers));
  news.tell([...works.values()].flatMap(({ server }) => (kept.has(server.id) ? [server.monitorId] : [])));
  return again;
}

/** A machine keeps its provider, so this writes about once in the life of a server. */
async function keepNamedProvider(
  pool: pg.Pool,
  server: ReportingServer,
  measurements: readonly Measurement[],
) {
  const provider = measurements.findLast((measurement) => measurement.provider !== undefined)?.provider;
  if (provider === undefined || provider === server.provider) return;
  await keepProvider(pool, server.id, provider);
  server.provider = provider;
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

/** Answers the posts of one server, or hands them back. */
function settle({ server, state, posts }: Work, kept: boolean, servers: KnownServers): Post[] {
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
    // Another replica wrote this server first, or its token changed: read the server again.
    servers.forget(post.tokenHash);
    post.attempts += 1;
    if (post.attempts > attemptsAtMost) post.resolve({ kind: 'busy' });
    else again.push(post);
  }
  return again;
}
