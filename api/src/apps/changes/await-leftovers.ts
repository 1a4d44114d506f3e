import { appName, leftovers } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';

/** The deadline of a rebuild, which is the longest command that an earlier try can leave running. */
const atMostSeconds = 30 * 60;

/**
 * Runs before a step on an app is repeated. Waits for commands that the earlier try left running on the
 * server, and notes the wait in the log. Throws `busy` if those commands do not end in time.
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
      `The server still runs an earlier command: ${left.ran}. Run this again when that command has ended.`,
    );
  }
  context.note(`Waited for an earlier command that still ran on the server: ${left.ran}.`);
}
