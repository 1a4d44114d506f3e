import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/** A request that takes longer may never be answered, so it is given up for the next one. */
const answersWithinMs = 10_000;

/** What is read once more after the answer that is under way. */
const waiting = new WeakMap<Query, Promise<void>>();

/**
 * Has the matching queries read again, because something changed. A query whose answer is under way is read once more after it, however
 * many changes come meanwhile. By default the client gives the request up and sends another one for each change: a slow console would
 * get ever more of them.
 */
export async function readAgain(client: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const found = new Set<Query>(client.getQueryCache().findAll(filters));
  const busy = [...found].filter(({ state }) => state.fetchStatus === 'fetching');
  for (const query of busy) found.delete(query);
  await Promise.all([
    client.invalidateQueries({ predicate: (query) => found.has(query) }),
    ...busy.map((query) => readAfterAnswer(client, query)),
  ]);
}

function readAfterAnswer(client: QueryClient, query: Query): Promise<void> {
  const known = waiting.get(query);
  if (known) return known;
  const again = endOf(query).then((isWanted) => {
    waiting.delete(query);
    return client.invalidateQueries({
      predicate: (each) => each === query,
      refetchType: isWanted ? 'active' : 'none',
    });
  });
  waiting.set(query, again);
  return again;
}

/** Resolves with false where the reading was given up: nobody shows the query any more, or the person signs out. */
async function endOf(query: Query): Promise<boolean> {
  const answers = () => query.state.dataUpdateCount + query.state.errorUpdateCount;
  const before = answers();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve();
    }, answersWithinMs);
  });
  // Gives the promise of the reading that is under way.
  await Promise.race([query.fetch().then(noop, noop), late]);
  clearTimeout(timer);
  return isLate || answers() !== before;
}

const noop = () => {};
