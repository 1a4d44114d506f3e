import { appName, leftovers } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';

/** As long as the longest command that may be left, a rebuild, has itself. */
const atMostSeconds = 30 * 60;

/**
 * Before a step of work on an app is repeated: waits for what its earlier try left running on the server, and says so.
 * Throws `busy` where that does not end.
 */
export async function awaitLeftovers(context: StepContext<{ longname: string }>): Promise<void> {
  const { longname } = context.input;
  const ran = await context.run('apps', leftovers.waitForLeftovers(appName(longname), atMostSeconds), {
    accept: 'any',
    deadlineMs: (atMostSeconds + 60) * 1_000,
    quiet: true,
    shown: `wait until no earlier dokku command changes ${longname}`,
  });
  const left = leftovers.readLeftovers(ran);
  if (!left?.ran) return;
  if (!left.ended) {
    throw new ProblemError(
      'busy',
      `The server is still busy with what was begun before: ${left.ran}. Run this again when it has ended.`,
    );
  }
  context.note(`Waited for what was begun before and still ran on the server: ${left.ran}.`);
}
