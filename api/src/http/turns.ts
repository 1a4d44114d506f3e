/** The callbacks that wait for a turn, by person or address. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Resolves when the next stream item, or the next request, of this person or address may be processed. Each
 * pass of the event loop lets one through, and the waiting ones take turns. Otherwise one pass would process
 * everything that one caller sends at once, and another caller's request, which needs several passes, would
 * wait each time.
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
    // To the end of the queue: a map keeps the order in which its keys were set.
    waiting.delete(whose);
    const resolve = turns.shift();
    if (turns.length > 0) waiting.set(whose, turns);
    resolve?.();
    break;
  }
  if (waiting.size > 0) setImmediate(serveOne);
}
