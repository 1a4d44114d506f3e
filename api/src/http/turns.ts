/** What waits for its turn, by whose it is: a person's streams, the requests from one address. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Resolves when the next item of a stream, or the next request, of this one may be processed. Only one is let through in one
 * pass of the event loop, and those who wait take turns: what one of them sends at once would otherwise be processed together,
 * and each request of another one waits for several passes.
 */
export function nextTurn(whose: string): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(serveOne);
    const mine = waiting.get(whose);
    if (mine) mine.push(resolve);
    else waiting.set(whose, [resolve]);
  });
}

function serveOne(): void {
  for (const [whose, turns] of waiting) {
    // To the end of the row: a map keeps the order in which its keys were set.
    waiting.delete(whose);
    const resolve = turns.shift();
    if (turns.length > 0) waiting.set(whose, turns);
    resolve?.();
    break;
  }
  if (waiting.size > 0) setImmediate(serveOne);
}
