import { releaseSchema } from '@homeport/contract/apps/releases/schema';
import { appName, failureOf, homeport, releases } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { type ReleaseInput, withoutPlugin } from './serve-release.ts';

/** Removes a kept release, whose image may hold values of variables of its time. */
export function removeRelease(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<ReleaseInput>({
    kind: 'app.release-remove',
    input: onAppInput.extend(releaseSchema.shape),
    title: () => 'Delete a kept version',
    steps: () => [
      { key: 'remove', title: 'Delete the kept image', run: remove },
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(deps, context);
          await context.toast('ok', 'Kept version deleted');
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function remove({ input, run }: StepContext<ReleaseInput>): Promise<undefined> {
  const id = releases.releaseIdSchema.parse(input.release);
  const ran = await run('apps', releases.remove(appName(input.longname), id), { accept: 'any' });
  if (homeport.isAbsent(ran)) throw withoutPlugin();
  if (ran.exitCode === 0) return;
  const failure = failureOf(ran);
  throw new ProblemError(
    'remote_failed',
    failure ? failureSentence(failure) : 'The server did not delete the kept version.',
  );
}
