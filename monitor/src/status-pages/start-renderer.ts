import {
  claimStatusPages,
  countStatusMinutes,
  keepStatusRenders,
  type Listener,
  makeStatusPageDue,
  readStatusPage,
  repeatWork,
  tryStatusPageAgain,
} from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { renderFiles } from './render-files.ts';

export type RendererDeps = {
  pool: pg.Pool;
  listener: Listener;
  /** The origin at which visitors open pages. */
  publicUrl: string;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Epoch milliseconds. */
  clock: () => number;
};

const atOnce = 4;

/**
 * Renders the pages that are due when it begins, together with whichever other processes do. One that is due again meanwhile has its next
 * turn behind the others. A page that fails holds no other.
 */
export async function renderDuePages({
  pool,
  publicUrl,
  clock,
  log,
}: Omit<RendererDeps, 'listener'>): Promise<void> {
  const until = clock();
  for (;;) {
    const claimed = await claimStatusPages(pool, { now: clock(), until, atMost: atOnce });
    if (claimed.length === 0) return;
    for (const claim of claimed) {
      try {
        await countStatusMinutes(pool, claim.id, clock());
        const page = await readStatusPage(pool, claim.id, clock());
        if (!page) continue;
        const renders = await renderFiles(page, publicUrl);
        await keepStatusRenders(pool, claim, { renders, at: page.at });
      } catch (error) {
        log.error({ err: error, page: claim.id }, 'a status page could not be rendered; it is tried again');
        await tryStatusPageAgain(pool, claim, clock());
      }
    }
  }
}

/** Renders a page soon after something on it changed, and all of them from time to time. */
export async function startRenderer(deps: RendererDeps): Promise<{ close(): Promise<void> }> {
  const { pool, listener, log } = deps;
  const failed = (error: unknown) => log.error({ err: error }, 'status pages could not be rendered');
  /** The last transaction that changed each page. They are told in the order in which they end. */
  const changed = new Map<string, string>();
  let working: Promise<void> | undefined;

  /** Changes that come while pages are rendered are one more turn, however many they are. */
  async function renderChanged(): Promise<void> {
    while (changed.size > 0) {
      for (const [page, tx] of [...changed]) {
        // Before the statement: a change that is told while it runs is one more turn.
        changed.delete(page);
        await makeStatusPageDue(pool, { page, tx }, deps.clock()).catch((error: unknown) => {
          if (!changed.has(page)) changed.set(page, tx);
          throw error;
        });
      }
      await renderDuePages(deps);
    }
  }

  const stopListening = await listener.on('status_due', ({ page, tx }) => {
    changed.set(page, tx);
    working ??= renderChanged()
      .catch(failed)
      .finally(() => {
        working = undefined;
      });
  });
  const work = repeatWork(
    'statusPages',
    async () => {
      await renderChanged();
      await renderDuePages(deps);
    },
    failed,
  );
  return {
    async close() {
      await stopListening();
      await work.stop();
      await working;
    },
  };
}
