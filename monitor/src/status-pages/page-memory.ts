import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import { type Listener, listStatusPages, readStatusRenders } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { createFollower } from './follow-changes.ts';
import { bytesOf, createHeldPages, type HeldPage } from './held-pages.ts';
import { nameByIds } from './name-by-ids.ts';
import { createStalePages } from './stale-pages.ts';

export type PageMemory = {
  /** The page at this slug; a promise where memory does not hold it. Null: there is none. `busy`: too many are read at this moment. */
  find(slug: string): HeldPage | null | 'busy' | Promise<HeldPage | null>;
  close(): Promise<void>;
};

/**
 * Keeps published pages in memory and follows their changes, so that a request costs no query. What it holds stays while PostgreSQL is
 * away; a page that nobody rendered for a while says that nothing is known.
 */
export async function openPageMemory({
  pool,
  listener,
  publicUrl,
  log,
  clock = Date.now,
  most = statusPageLimits.memoryBytes,
  mostOfOwner = statusPageLimits.memoryBytesOfAccount,
}: {
  pool: pg.Pool;
  listener: Listener;
  /** The origin at which people sign in. */
  publicUrl: string;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Epoch milliseconds. */
  clock?: () => number;
  /** Bytes, of all pages and of those of one account. */
  most?: number;
  mostOfOwner?: number;
}): Promise<PageMemory> {
  const names = nameByIds();
  const held = createHeldPages({ most, mostOfOwner });
  const asShown = createStalePages({ held, publicUrl, clock });
  const reads = new Map<string, Promise<HeldPage | null>>();
  /** Pages that ended while they were read. */
  const ended = new Set<string>();

  async function read(id: string, isAskedFor: boolean): Promise<HeldPage | null> {
    const found = await readStatusRenders(pool, id);
    // It ended while it was read: the read that follows finds what is so now.
    if (ended.delete(id)) return null;
    names.set(id, found?.slug);
    if (!found) {
      held.drop(id);
      return null;
    }
    const { owner, renderedAt, renders } = found;
    const files = new Map(renders.map((render) => [render.file, render]));
    const page = { files, bytes: bytesOf(renders), owner, renderedAt, isStale: false };
    if (isAskedFor || held.peek(id) || !held.isFull()) held.put(id, page);
    return page;
  }

  /** One read of a page at a time: the one that began later has what is newer. */
  function begin(id: string, isAskedFor: boolean): Promise<HeldPage | null> {
    const reading = read(id, isAskedFor).finally(() => {
      reads.delete(id);
      ended.delete(id);
    });
    reads.set(id, reading);
    return reading;
  }

  async function findUnheld(id: string, slug: string): Promise<HeldPage | null> {
    const page = await (reads.get(id) ?? begin(id, true));
    return page && asShown(id, slug, page);
  }

  async function list(): Promise<void> {
    const listed = await listStatusPages(pool);
    const there = new Set(listed.map(({ id }) => id));
    for (const id of names.ids()) if (!there.has(id)) end(id);
    for (const { id, slug } of listed) {
      names.set(id, slug);
      follower.follow(id);
    }
  }

  function end(id: string): void {
    names.set(id, undefined);
    held.drop(id);
    if (reads.has(id)) ended.add(id);
  }

  const follower = createFollower({
    ...{ log, list },
    async read(id) {
      // Memory is full, and nobody asks for this one: its name is enough.
      if (names.has(id) && !held.peek(id) && held.isFull()) return;
      await reads.get(id)?.catch(() => {});
      await begin(id, false);
    },
  });

  const stopListening = await listener.on('status_render', ({ page: id, gone, at }) => {
    // At once: the read that follows may have to wait, or fail.
    if (gone) end(id);
    const page = held.peek(id);
    if (at === undefined || !names.has(id)) return follower.follow(id);
    if (page) page.renderedAt = Math.max(page.renderedAt, at);
    if (page?.isStale) follower.follow(id);
  });
  const stopLooking = listener.onReconnect(() => follower.followAll());
  // The first list is awaited: a process that cannot list pages does not start.
  await list();
  return {
    find(slug) {
      const id = names.idOf(slug);
      if (id === undefined) return null;
      const page = held.take(id);
      if (page) return asShown(id, slug, page);
      if (!reads.has(id) && reads.size >= statusPageLimits.readsAtOnce) return 'busy';
      return findUnheld(id, slug);
    },
    async close() {
      await stopListening();
      stopLooking();
      await follower.close();
      await Promise.allSettled(reads.values());
    },
  };
}
