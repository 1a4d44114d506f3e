import {
  claimLook,
  forgetNotices,
  raiseBackups,
  raiseCertificates,
  raiseConsoleBackups,
  raiseFillingDisks,
  raiseFullDisks,
  raiseOutages,
  raisePressure,
  raiseProxyNews,
  raiseReboots,
  raiseSilences,
  repeatWork,
} from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Network } from '../uptime/own-network.ts';

export type WatchDeps = {
  pool: pg.Pool;
  network: Network;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Epoch milliseconds. */
  clock: () => number;
};

/** A console that was away for longer says nothing about servers until it has listened for long enough again. */
const gapMs = 90_000;
export const looks = {
  standings: 15_000,
  disks: 60_000,
  pressure: 60_000,
  reboots: 60_000,
  fillingDisks: 90_000,
  backups: 60_000,
  consoleBackups: 60_000,
  proxies: 60_000,
  certificates: 10 * 60_000,
  forgetting: 60 * 60_000,
} as const;

/** Watches what is known of servers, apps and proxies, and raises news of it, together with whichever other processes do. */
export function startWatch(deps: WatchDeps): { close(): Promise<void> } {
  const work = repeatWork(
    'notices',
    () => watchOnce(deps),
    (error) => deps.log.error({ err: error }, 'servers and apps could not be watched'),
  );
  return { close: work.stop };
}

/** Looks at what it is time to look at. What fails is logged and holds nothing else up. Rejects where the database does not answer. */
export async function watchOnce({ pool, network, clock, log }: WatchDeps): Promise<void> {
  const now = clock();
  const look = async (what: keyof typeof looks, ...raises: ((since: number) => Promise<unknown>)[]) => {
    const claimed = await claimLook(pool, what, { now, everyMs: looks[what], gapMs });
    if (!claimed) return;
    for (const raise of raises) {
      await raise(claimed.since).catch((error: unknown) =>
        log.error({ err: error, look: what }, 'a look for news failed'),
      );
    }
  };
  await look(
    'standings',
    () => raiseOutages(pool, now),
    (since) => raiseSilences(pool, { now, since, canHear: () => network.isThere() }),
  );
  await look('disks', () => raiseFullDisks(pool, now));
  await look('pressure', () => raisePressure(pool, now));
  await look('reboots', () => raiseReboots(pool, now));
  await look('fillingDisks', () => raiseFillingDisks(pool, now));
  await look('backups', () => raiseBackups(pool, now));
  await look('consoleBackups', (since) => raiseConsoleBackups(pool, { now, since }));
  await look('proxies', () => raiseProxyNews(pool, now));
  await look('certificates', () => raiseCertificates(pool, now));
  await look('forgetting', () => forgetNotices(pool, now));
}
