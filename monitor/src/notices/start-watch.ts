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

/** Looks at what it is time to look at. */
export async function watchOnce({ pool, network, clock }: WatchDeps): Promise<void> {
  const now = clock();
  const claim = (what: keyof typeof looks) => claimLook(pool, what, { now, everyMs: looks[what], gapMs });
  const standings = await claim('standings');
  if (standings) {
    await raiseOutages(pool, now);
    await raiseSilences(pool, { now, since: standings.since, canHear: () => network.isThere() });
  }
  if (await claim('disks')) await raiseFullDisks(pool, now);
  if (await claim('pressure')) await raisePressure(pool, now);
  if (await claim('reboots')) await raiseReboots(pool, now);
  if (await claim('fillingDisks')) await raiseFillingDisks(pool, now);
  if (await claim('backups')) await raiseBackups(pool, now);
  const consoleBackups = await claim('consoleBackups');
  if (consoleBackups) await raiseConsoleBackups(pool, { now, since: consoleBackups.since });
  if (await claim('proxies')) await raiseProxyNews(pool, now);
  if (await claim('certificates')) await raiseCertificates(pool, now);
  if (await claim('forgetting')) await forgetNotices(pool, now);
}
