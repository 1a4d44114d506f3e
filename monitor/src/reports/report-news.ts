import { notifyReports } from '@homeport/store';
import type pg from 'pg';

export type ReportNews = {
  /** Notifies pages soon that reports or checks of these monitor ids are stored. */
  tell(monitorIds: Iterable<string>): void;
  /** Waits for what was told. */
  close(): Promise<void>;
};

/**
 * Sends one notification at a time. What comes meanwhile leaves together with the next one, so that under load a notification stands for
 * many batches. A failed one is not repeated: its pages hear of the next report.
 */
export function createReportNews(
  pool: Pick<pg.Pool, 'query'>,
  onError: (error: unknown) => void,
): ReportNews {
  let waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const monitorIds = [...waiting];
      waiting = new Set();
      await notifyReports(pool, monitorIds).catch(onError);
    }
    sending = undefined;
  }
  return {
    tell(monitorIds) {
      for (const id of monitorIds) waiting.add(id);
      if (waiting.size > 0) sending ??= send();
    },
    close: async () => sending,
  };
}
