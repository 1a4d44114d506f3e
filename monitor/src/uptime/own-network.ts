import type { Attempt } from './attempt.ts';

/** Whether the console's own way into the internet is there. */
export type Network = { isThere(): Promise<boolean> };

const believedMs = 5_000;

/**
 * Asks the anchors, all at once: any answer of any of them will do, whatever its status. The last finding is believed for
 * five seconds, so that a thousand apps that fail together ask once. Without anchors the network counts as there.
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
