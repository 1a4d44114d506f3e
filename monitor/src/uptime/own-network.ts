import type { Attempt } from './attempt.ts';

/** Whether the console's own connection to the internet works. */
export type Network = { isThere(): Promise<boolean> };

const believedMs = 5_000;

/**
 * Asks all anchors at once. Any answer of any anchor proves the network, whatever its status. The result holds for five seconds,
 * so that a thousand apps that fail together ask once. Without anchors the network counts as up.
 */
export function createNetwork(
  anchors: readonly string[],
  ask: (url: string) => Promise<Pick<Attempt, 'status'>>,
  clock: () => number,
): Network {
  let last: { at: number; found: Promise<boolean> } | undefined;
  return {
    isThere() {
      if (anchors.length === 0) return Promise.resolve(true);
      if (!last || clock() - last.at >= believedMs) last = { at: clock(), found: anyAnswers(anchors, ask) };
      return last.found;
    },
  };
}

async function anyAnswers(
  anchors: readonly string[],
  ask: (url: string) => Promise<Pick<Attempt, 'status'>>,
): Promise<boolean> {
  const answered = anchors.map(async (url) => {
    const { status } = await ask(url);
    if (status === null) throw new Error('no answer');
  });
  return Promise.any(answered).then(
    () => true,
    () => false,
  );
}
