import {
  keepRefusal,
  latestPurge,
  type Purge,
  readPurges,
  readServed,
  readSiteChanges,
  type Store,
} from '@homeport/store';
import { keepSnapshot } from './keep-snapshot.ts';
import type { SiteTable } from './site-table.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

export type FollowerDeps = {
  /** Opens the store, or fails while it is unreachable. Called again until it opens. */
  openStore(): Promise<Store>;
  table: SiteTable;
  snapshotFile: string;
  clock(): number;
  /** Cached answers have to go. */
  purge(purge: Purge): void;
  /** Something failed that will be tried again. */
  report(error: unknown, what: string): void;
  times?: Partial<FollowerTimes>;
};

type FollowerTimes = {
  /** A notification can be lost, so the plane asks by itself too. */
  everyMs: number;
  retryMs: number;
  /** Changes of this time share one snapshot. */
  snapshotMs: number;
};

export type FollowerState = {
  version: number;
  sites: number;
  store: 'reached' | 'unreachable';
  since: number;
};

export type Follower = {
  /** Reads what changed. Rejects when the store does not answer. */
  reload(): Promise<FollowerState>;
  state(): FollowerState;
  /** The store, once it was reached. */
  store(): Store | null;
  close(): Promise<void>;
};

const defaults: FollowerTimes = { everyMs: 30_000, retryMs: 1_000, snapshotMs: 2_000 };

/**
 * Keeps the table as the store has it. Serves from the snapshot at once, and goes on with it while the store is away. Resolves when
 * the snapshot was read, before the store was.
 */
export async function followStore(deps: FollowerDeps): Promise<Follower> {
  const { table, clock, report } = deps;
  const times = { ...defaults, ...deps.times };
  const snapshot = await serveSnapshot(deps);

  let store: Store | null = null;
  let version = snapshot?.version ?? 0;
  let purged = 0;
  let state: FollowerState['store'] = 'unreachable';
  let since = snapshot?.writtenAt ?? clock();
  let closed = false;
  let isListening = false;
  let reading: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;

  const keeper = keepSnapshot(
    deps.snapshotFile,
    times.snapshotMs,
    () => ({ version, writtenAt: clock(), sites: [...table.all()] }),
    (error) => report(error, 'writing the snapshot'),
  );

  async function readOnce(from: Store): Promise<void> {
    for (let more = true; more && !closed; ) {
      const changes = await readSiteChanges(from.pool, version);
      for (const name of changes.freed) table.free(name);
      for (const site of changes.sites) {
        if (!site.served) table.remove(site);
        else await keepRefusal(from.pool, { ...site, refusal: table.put(site) });
      }
      const isNew = changes.version > version;
      version = changes.version;
      if (isNew) keeper.saveSoon();
      more = changes.more;
    }
    for (const purge of await readPurges(from.pool, purged)) {
      deps.purge(purge);
      purged = purge.version;
    }
    state = 'reached';
    since = clock();
  }

  /** One reading at a time. A caller's reading begins after the call. */
  function read(): Promise<void> {
    const next = reading.then(async () => {
      if (store === null) throw new Error('The store is not reached.');
      await readOnce(store);
    });
    reading = next.catch((error: unknown) => {
      if (state === 'reached') report(error, 'reading the proxies');
      state = 'unreachable';
    });
    return next;
  }
  const readSoon = () => void read().catch(() => undefined);

  async function begin(): Promise<void> {
    const opened = store ?? (await deps.openStore());
    store = opened;
    if (closed) return;
    purged = await latestPurge(opened.pool);
    const served = await readServed(opened.pool);
    for (const site of [...table.all()])
      if (!served.has(site.id)) table.remove({ id: site.id, version: site.version });
    if (!isListening) {
      isListening = true;
      opened.listener.onReconnect(readSoon);
      await opened.listener.on('proxy', readSoon);
      await opened.listener.on('purge', readSoon);
    }
    await read();
  }

  function beginUntilDone(): void {
    begin().catch((error: unknown) => {
      if (closed) return;
      report(error, 'reaching the store');
      retry = setTimeout(beginUntilDone, times.retryMs);
    });
  }

  beginUntilDone();
  const every = setInterval(readSoon, times.everyMs);
  every.unref();
  const current = (): FollowerState => ({ version, sites: table.size, store: state, since });
  return {
    reload: () => read().then(current),
    state: current,
    store: () => store,
    async close() {
      closed = true;
      clearInterval(every);
      clearTimeout(retry);
      await reading;
      await keeper.close();
    },
  };
}

/** Puts what was served last into the table. Null where there is no snapshot. */
async function serveSnapshot({ table, snapshotFile, report }: FollowerDeps): Promise<Snapshot | null> {
  try {
    const snapshot = await readSnapshot(snapshotFile);
    for (const site of snapshot?.sites ?? []) table.restore(site);
    return snapshot && { ...snapshot, sites: [] };
  } catch (error) {
    report(error, 'reading the snapshot');
    return null;
  }
}
