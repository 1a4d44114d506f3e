import type { TerminalEndReason } from '@homeport/contract/terminals/facts';
import { ProblemError } from '../http/problem.ts';
import type { Changes } from '../live/changes.ts';
import type { TerminalPlace } from './place.ts';

type Watch = {
  place: Pick<TerminalPlace, 'look'>;
  person: string;
  signal: AbortSignal;
  onEnd: (why: TerminalEndReason) => void;
  onReplacing: () => void;
};

/**
 * Ends a terminal when its right is taken back, from any page and any process of the console, and hears of work that will end it.
 * Resolves when changes from now on are heard; the caller asks for the right after that.
 */
export async function watchRight(
  { changes }: { changes: Changes },
  { place, person, signal, onEnd, onReplacing }: Watch,
): Promise<void> {
  const heard = changes.follow(person, { lastEventId: null }, signal);
  await heard.next();
  let isReplacing = (await place.look()) === 'replacing';
  if (isReplacing) onReplacing();
  const look = async () => {
    const now = await place.look();
    if (now === 'forbidden') return onEnd('forbidden');
    if (now === 'replacing' && !isReplacing) onReplacing();
    isReplacing = now === 'replacing';
  };
  const follow = async () => {
    for await (const item of heard) {
      const topic = item?.data.topic;
      if (topic === 'servers' || topic === 'apps' || topic === 'operations') await look();
    }
  };
  follow().catch((error: unknown) => {
    // Whoever cannot ask for the right has none.
    onEnd(error instanceof ProblemError && error.code === 'not_found' ? 'gone' : 'unknown');
  });
}
