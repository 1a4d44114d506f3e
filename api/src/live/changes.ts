import type { Change } from '@homeport/contract/live/schema';
import { hearsOf } from '@homeport/contract/tokens/topic-scope';
import type { Store } from '@homeport/store';
import type { StreamItem } from '../http/handlers.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { createRecentChanges } from './recent-changes.ts';

export type Changes = {
  /**
   * Yields the changes of one owner's records from now on. A reader that comes back is told to read
   * everything again. A reader that says how long ago it read is told to read again the records that may have
   * changed since.
   */
  follow(owner: string, reader: Reader, signal: AbortSignal): AsyncGenerator<StreamItem<Change>>;
  close(): void;
};

export type Reader = {
  lastEventId: string | null;
  readMsAgo?: number | undefined;
  /** Of a program’s token: which topics it hears of. Absent: all. */
  scopes?: readonly string[] | undefined;
};

const reportsTogetherMs = 250;

/** Hears the notifications of every replica and of the monitor, and hands each to the pages of its owner. */
export async function createChanges(store: Store, onError: (error: unknown) => void): Promise<Changes> {
  const mailboxes = new Map<string, Set<Mailbox>>();
  const recent = createRecentChanges();
  const tell = (owner: string, change: Change) => {
    for (const mailbox of mailboxes.get(owner) ?? []) mailbox.put(change);
  };

  const reported = new Set<string>();
  let reportTimer: NodeJS.Timeout | undefined;
  const tellReports = async () => {
    const monitorIds = [...reported];
    reported.clear();
    reportTimer = undefined;
    for (const { owner, id } of await whose(store, monitorIds, [...mailboxes.keys()])) {
      tell(owner, { topic: 'stats', id });
    }
  };

  const stops = await Promise.all([
    store.listener.on('changed', ({ owner, topic, id }) => {
      recent.changed(owner);
      tell(owner, { topic, id });
    }),
    store.listener.on('reports', ({ monitorIds }) => {
      recent.reported();
      if (mailboxes.size === 0) return;
      for (const id of monitorIds) reported.add(id);
      reportTimer ??= setTimeout(() => tellReports().catch(onError), reportsTogetherMs);
    }),
    // Notifications may have been lost while the connection was down.
    store.listener.onReconnect(() => {
      recent.interrupted();
      for (const set of mailboxes.values()) for (const mailbox of set) mailbox.putAll();
    }),
  ]);

  return {
    async *follow(owner, { lastEventId, readMsAgo, scopes }, signal) {
      const mailbox = createMailbox(signal, (topic) => hearsOf(scopes, topic));
      const mine = mailboxes.get(owner) ?? new Set();
      mailboxes.set(owner, mine.add(mailbox));
      try {
        yield null;
        const missed = readMsAgo === undefined ? 'nothing' : recent.missedSince(owner, readMsAgo);
        if (lastEventId !== null || missed === 'everything') mailbox.putAll();
        else if (missed === 'stats') mailbox.put({ topic: 'stats', id: null });
        for await (const change of mailbox) yield { id: String(Date.now()), data: change };
      } finally {
        mine.delete(mailbox);
        if (mine.size === 0) mailboxes.delete(owner);
      }
    },
    close() {
      clearTimeout(reportTimer);
      for (const stop of stops) stop();
    },
  };
}

/** The servers and apps with these monitor ids, of owners who have a page open. */
async function whose(
  store: Store,
  monitorIds: string[],
  owners: string[],
): Promise<{ owner: string; id: string }[]> {
  if (monitorIds.length === 0 || owners.length === 0) return [];
  const servers = store.db
    .selectFrom('servers')
    .select(['owner_id as owner', 'id'])
    .where('monitor_id', 'in', monitorIds)
    .where('owner_id', 'in', owners);
  const apps = store.db
    .selectFrom('apps')
    .select(['owner_id as owner', 'id'])
    .where('monitor_id', 'in', monitorIds)
    .where('owner_id', 'in', owners);
  return servers.unionAll(apps).execute();
}
