import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { isPublicAddress } from '@homeport/contract/network/addresses';
import { type UptimeCause, uptimeRules } from '@homeport/contract/uptime/facts';
import type { UptimeCheck } from '@homeport/contract/uptime/schema';
import {
  type CheckOutcome,
  type ClaimedCheck,
  claimChecks,
  keepChecks,
  readNeighbours,
  releaseChecks,
} from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { createReportNews } from '../reports/report-news.ts';
import { type Attempt, attempt } from './attempt.ts';
import { judge, type Verdict } from './judge.ts';
import type { Network } from './own-network.ts';
import { createPulls } from './pulls.ts';
import type { Reach } from './request-once.ts';
import { capacityWithin, inGroups, isAtItsPlace, nextDueAt } from './schedule.ts';
import { createTurns } from './turns.ts';

export type CheckerDeps = {
  pool: pg.Pool;
  reach: Reach;
  network: Network;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Epoch milliseconds. */
  clock: () => number;
  /** How many checks may be claimed and not stored yet. */
  inFlightAtMost: number;
};

export type Checker = {
  /** Claims the checks of the next second. Begins each at its time, and late ones one group after another. */
  claim(): Promise<void>;
  /** Stores the results since the last call. */
  keep(): Promise<void>;
  /** How many claimed checks have no result yet. */
  inFlight(): number;
  /** Waits for all claimed checks and stores their results. */
  finish(): Promise<void>;
  /** Gives claimed checks without a result back to other claimers, and stores the other results. */
  stop(): Promise<void>;
};

/** `turns`: the check found the opposite of what is confirmed, or of what the one before had found. */
type Found = { outcome: CheckOutcome; turns: boolean };

/** Long enough for both attempts and the anchors. After that another claimer may take the check. */
const claimMs = 60_000;
/** A check that has waited longer does not begin any more; its claim runs out. */
const beginWithinMs = 20_000;
const aheadMs = 1_000;
const claimAtMost = capacityWithin(aheadMs);
const perHost = 2;

/** Makes the checks that it claims. Any number of checkers, in any number of processes, share the work. */
export function createChecker(deps: CheckerDeps): Checker {
  const { pool, clock } = deps;
  const turns = createTurns(perHost);
  const running = new Map<ClaimedCheck, Promise<void>>();
  const found: Found[] = [];
  const pulls = createPulls();
  const news = createReportNews(pool, (error) =>
    deps.log.error({ err: error }, 'pages were not notified of checks'),
  );
  const stop = new AbortController();
  // Each check listens to this signal.
  setMaxListeners(0, stop.signal);

  async function run(check: ClaimedCheck, beginAt: number): Promise<void> {
    const host = check.url.split('/', 3).join('/');
    const outcome = await turns.take(host, async () =>
      clock() - beginAt < beginWithinMs ? checkOnce(deps, check, stop.signal) : null,
    );
    if (outcome) found.push({ outcome, turns: outcome.against > check.against });
  }

  async function keep(): Promise<void> {
    if (found.length === 0) return;
    const results = found.splice(0);
    const kept = await keepChecks(
      pool,
      results.map(({ outcome }) => outcome),
    );
    news.tell(results.flatMap(({ outcome }) => (kept.has(outcome.id) ? [outcome.monitorId] : [])));
    const turned = results.flatMap(({ outcome, turns }) => (turns && kept.has(outcome.id) ? [outcome] : []));
    for (const to of ['up', 'down'] as const) {
      const ids = turned.flatMap(({ id, confirmed }) =>
        (confirmed === 'down') === (to === 'up') ? [id] : [],
      );
      // Their own places come anyway.
      await checkNeighbours(ids, to).catch((error: unknown) =>
        deps.log.error({ err: error }, 'the other apps of a server were not checked at once'),
      );
    }
  }

  /**
   * What changed an app has often changed its whole server, so the other apps there are checked at once: their outages are found
   * together, and told of together.
   */
  async function checkNeighbours(ids: readonly number[], to: 'up' | 'down'): Promise<void> {
    if (ids.length === 0) return;
    const now = clock();
    const mayPull = pulls.at(now, to);
    const waiting = (await readNeighbours(pool, ids)).filter(
      (check) => check.dueAt > now && isAtItsPlace(check) && mayPull(check.serverId),
    );
    await releaseChecks(
      pool,
      waiting.map((check) => ({ ...check, dueAt: now })),
    );
  }

  return {
    async claim() {
      const atMost = Math.min(claimAtMost, deps.inFlightAtMost - running.size);
      if (atMost <= 0 || stop.signal.aborted) return;
      const now = clock();
      const claimed = await claimChecks(pool, { until: now + aheadMs, endsAt: now + claimMs, atMost });
      for (const { beginAt, checks } of inGroups(claimed, now)) {
        const begin = wait(Math.max(beginAt - clock(), 0), undefined, { ref: false });
        for (const check of checks) {
          const done = begin
            .then(() => run(check, beginAt))
            .catch((error: unknown) => deps.log.error({ err: error }, 'a check failed by itself'))
            .finally(() => running.delete(check));
          running.set(check, done);
        }
      }
    },
    keep,
    inFlight: () => running.size,
    async finish() {
      await Promise.all(running.values());
      await keep();
      await news.close();
    },
    async stop() {
      const unfinished = [...running.keys()];
      stop.abort();
      await keep();
      await releaseChecks(pool, unfinished);
      await Promise.all(running.values());
      await news.close();
    },
  };
}

/**
 * One check: an attempt, a second one at once if the first failed, and the app's new standing. Null when the check was stopped.
 */
async function checkOnce(
  { reach, network, clock }: CheckerDeps,
  check: ClaimedCheck,
  stop: AbortSignal,
): Promise<CheckOutcome | null> {
  const at = clock();
  let last = await attempt(check.url, reach, at, stop);
  if (isWorthRepeating(last)) last = await attempt(check.url, reach, at, stop);
  if (stop.aborted) return null;
  if (await isOurFault(last, network))
    last.failure = { cause: 'checker', text: 'The console itself has no connection to the internet.' };
  const verdict = verdictOf(last);
  const { standing, wentDownAt, cameUpAt, soon } = judge(check, verdict, { at, deployed: check.deployed });
  const { id, version, monitorId, everyMs } = check;
  const now = clock();
  return {
    ...standing,
    id,
    expected: version,
    monitorId,
    dueAt: Math.min(nextDueAt(id, everyMs, now), soon ? now + uptimeRules.confirmAfterMs : Infinity),
    latest: JSON.stringify(toCheck(last, at)),
    point: saysSomething(verdict, check) ? { ts: at, ok: verdict === 'up', ...last.phases } : null,
    opens:
      wentDownAt !== null && last.failure
        ? { startedAt: wentDownAt, cause: last.failure.cause, reason: last.failure.text }
        : null,
    closesAt: cameUpAt,
  };
}

/** Time before the first deploy does not count as downtime. */
function saysSomething(verdict: Verdict, { deployed }: ClaimedCheck): boolean {
  return verdict === 'up' || (verdict === 'down' && deployed);
}

function toCheck({ phases, failure, ...rest }: Attempt, at: number): UptimeCheck {
  return {
    at,
    ok: failure === null,
    ...phases,
    ...rest,
    cause: failure?.cause ?? null,
    text: failure?.text ?? null,
  };
}

function verdictOf({ failure }: Attempt): Verdict {
  if (failure === null) return 'up';
  return failure.cause === 'checker' || failure.cause === 'blocked_address' ? 'nothing' : 'down';
}

/** The console would refuse a refused address again, and a busy console needs no further work. */
const isWorthRepeating = (found: Attempt) => verdictOf(found) === 'down';

/** Failures without a sign of life from the app. After such a sign, a broken network does not explain the failure. */
const silent: ReadonlySet<UptimeCause> = new Set([
  'dns',
  'connect_refused',
  'connect_timeout',
  'connection_lost',
  'timeout_headers',
  'timeout_body',
]);

/** Whether the console's own network is down. The anchors are on the internet, so they say nothing about an app on a private network. */
async function isOurFault({ failure, address }: Attempt, network: Network): Promise<boolean> {
  if (failure === null || !silent.has(failure.cause)) return false;
  if (address !== null && !isPublicAddress(address)) return false;
  return !(await network.isThere());
}
