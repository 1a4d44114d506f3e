import { appName, failureOf, homeport, leftContainers } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { readAgain } from './control-app.ts';
import { onAppInput } from './on-app.ts';

const leftInput = onAppInput.extend({ containers: z.array(leftContainers.containerIdSchema) });
type LeftInput = z.output<typeof leftInput>;

/** Why a container stays. */
const reasons: Record<Exclude<leftContainers.ContainerEnd, 'removed' | 'gone'>, string> = {
  used: 'the app uses it',
  new: 'a deploy may still take it into use',
  unknown: 'Docker did not say what it is',
  failed: 'Docker did not remove it',
};

/**
 * Removes containers that failed deploys of the app left. Homeport’s plugin checks each on the server in the moment before it goes, so
 * that neither an old page nor a caller of the route can name a container that serves.
 */
export function removeLeftContainers(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<LeftInput>({
    kind: 'app.remove-left-containers',
    input: leftInput,
    title: () => 'Removal of containers of failed deploys',
    steps: ({ containers }) => [
      {
        key: 'remove',
        title: containers.length === 1 ? 'Remove the container' : `Remove ${containers.length} containers`,
        run: remove,
      },
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(deps, context);
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function remove(context: StepContext<LeftInput>): Promise<StepOutcome | undefined> {
  const { longname, containers } = context.input;
  const ran = await context.run('apps', leftContainers.remove(appName(longname), containers), {
    accept: 'any',
    quiet: 'answer',
    deadlineMs: 10 * 60_000,
  });
  if (homeport.isAbsent(ran))
    throw new ProblemError('conflict', 'The server has no plugin of Homeport’s that can remove containers.', {
      recovery: 'Install or update the plugin in the settings of the server, and run this again.',
    });
  const failure = failureOf(ran);
  if (failure) throw new ProblemError('remote_failed', failureSentence(failure));
  const ends = leftContainers.readRemoved(ran, containers);
  const removed = ends.filter(({ end }) => end === 'removed').length;
  await context.toast('ok', removed === 1 ? 'Container removed' : `${removed} containers removed`);
  const stay = ends.flatMap(({ id, end }) =>
    end === 'removed' || end === 'gone' ? [] : [`${id.slice(0, 12)} stays: ${reasons[end]}.`],
  );
  if (stay.length > 0) return { state: 'warned', note: stay.join(' ') };
  const gone = ends.length - removed;
  return gone === 0
    ? undefined
    : { note: gone === 1 ? 'One was gone already.' : `${gone} were gone already.` };
}
