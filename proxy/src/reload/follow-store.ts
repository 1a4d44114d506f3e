import { type Purge, readServed, readSiteChanges, type SiteRow, type Store } from '@homeport/store';
import { followPurges } from './follow-purges.ts';
import { inTurn } from './in-turn.ts';
import { keepSnapshot } from './keep-snapshot.ts';
import { reportRefusals } from './report-refusals.ts';
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
  /** Resolves when the store was read, or the first try at it failed. */
  firstTry: Promise<void>;
  /** Reads what changed. Rejects when the store does not answer. */
  reload(): Promise<FollowerState>;
  state(): FollowerState;
  /** The store, once it was reached. */
  store(): Store | null;
  close(): Promise<void>;
};

const defaults: FollowerTimes = { everyMs: 30_000, retryMs: 1_000, snapshotMs: 2_000 };

type Changes = Awaited<ReturnType<typeof readSiteChanges>>;

/** Puts what changed into the table. */
function take(
  { freed, sites }: Changes,
  table: SiteTable,
  report: (site: SiteRow, refusal: ReturnType<SiteTable['put']>) => void,
): void {
  for (const name of freed) table.free(name);
  for (const site of sites) {
    if (site.served) report(site, table.put(site));
    else table.remove(site);
  }
}

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
  let state: FollowerState['store'] = 'unreachable';
  let since = snapshot?.writtenAt ?? clock();
  let closed = false;
  let isListening = false;
  const refusals = reportRefusals((error) => report(error, 'saying which rules are served'));
  const purges = followPurges(clock(), deps.purge);
  const reading = inTurn((error) => {
    if (state === 'reached') report(error, 'reading the proxies');
    state = 'unreachable';
  });
  let retry: NodeJS.Timeout | undefined;

  const keeper = keepSnapshot(
    deps.snapshotFile,
    times.snapshotMs,
    () => ({ version, writtenAt: clock(), sites: [...table.all()] }),
    (error) => report(error, 'writing the snapshot'),
  );

  async function readSites(from: Store): Promise<void> {
    for (let more = true; more && !closed; ) {
      const changes = await readSiteChanges(from.pool, version);
      take(changes, table, (site, refusal) => refusals.tell(from, site, refusal));
      if (changes.version > version) keeper.saveSoon();
      version = changes.version;
      more = changes.more;
    }
  }

  /** One reading at a time. A caller's reading begins after the call. */
  const read = (of: (from: Store) => Promise<void>) =>
    reading.run(async () => {
      if (store === null) throw new Error('The store is not reached.');
      await of(store);
    });
  /** Whoever asks for the state afterwards finds everything done that the store asked for. */
  const readThen = (rest: (from: Store) => Promise<void>) => async (from: Store) => {
    await readSites(from);
    await rest(from);
    state = 'reached';
    since = clock();
  };
  const readAll = readThen(purges.read);
  const readChanged = readThen(async () => undefined);
  const readSoon = (of: (from: Store) => Promise<void>) => void read(of).catch(() => undefined);

  async function begin(): Promise<void> {
    const opened = store ?? (await deps.openStore());
    store = opened;
    if (closed) return;
    await purges.begin(opened);
    const served = await readServed(opened.pool);
    for (const site of [...table.all()]) if (!served.has(site.id)) table.remove(site);
    if (!isListening) {
      isListening = true;
      opened.listener.onReconnect(() => readSoon(readAll));
      await opened.listener.on('site', (site) => takeAtOnce(table, site, version));
      await opened.listener.on('proxy', () => readSoon(readChanged));
      await opened.listener.on('purge', () => readSoon(purges.read));
    }
    await read(readAll);
  }

  function beginUntilDone(): Promise<void> {
    return begin().catch((error: unknown) => {
      if (closed) return;
      report(error, 'reaching the store');
      retry = setTimeout(() => void beginUntilDone(), times.retryMs);
    });
  }

  const firstTry = beginUntilDone();
  const every = setInterval(() => readSoon(readAll), times.everyMs).unref();
  const current = (): FollowerState => ({ version, sites: table.size, store: state, since });
  return {
    firstTry,
    async reload() {
      await read(readAll);
      await refusals.idle();
      return current();
    },
    state: current,
    store: () => store,
    async close() {
      closed = true;
      clearInterval(every);
      clearTimeout(retry);
      await reading.idle();
      await refusals.idle();
      await keeper.close();
    },
  };
}

/**
 * New rules are live without a question to the store. Only rules of what is served already: whether a name may be served is read, in the
 * order of the changes. The reading that follows says also why rules are refused.
 *
 * @param above the version up to which everything was read
 */
function takeAtOnce(table: SiteTable, site: SiteRow, above: number): void {
  if (site.served && site.version > above && table.serves(site)) table.put(site);
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
