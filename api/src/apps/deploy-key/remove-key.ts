import { appName, deployKeys, failureOf, homeport } from '@homeport/dokku';
import { z } from 'zod';
import { askAs, type GithubDeps } from '../../github/account.ts';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type Step,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput } from '../changes/on-app.ts';
import { removeDeployKey } from './at-github.ts';
import { noteKeyEvent } from './note-key-event.ts';
import {
  type DeployKeyRow,
  findDeployKey,
  forgetAtGithub,
  forgetDeployKey,
  keysPageOf,
  toLeave,
} from './records.ts';

const removeKeyInput = onAppInput.extend({ repository: z.string() });
type Input = { appId: string; longname: string };
type Context = StepContext<Input>;

/**
 * Removes an app's deploy key: the private half first, because that is the one that reads. A key of another repository, which a later
 * deploy has made, stays.
 */
export function removeDeployKeyOperation(deps: GithubDeps): AnyOperationDefinition {
  return defineOperation<z.output<typeof removeKeyInput>>({
    kind: 'app.deploy-key-remove',
    input: removeKeyInput,
    title: ({ repository }) => `Removal of the deploy key of ${repository}`,
    steps: ({ repository }) => [
      ...keyLeavingSteps<z.output<typeof removeKeyInput>>(deps, { of: repository, isWhole: false }),
      {
        key: 'record',
        title: 'Forget the key',
        run: async ({ owner, input }) => {
          const row = await findDeployKey({ owner, db: deps.store.db }, input.appId);
          if (row && row.repository !== repository) return otherKey;
          await forgetDeployKey(deps.store.db, owner, input.appId);
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const otherKey: StepOutcome = {
  state: 'skipped',
  note: 'The app has the key of another repository by now, which stays.',
};

/**
 * The steps that take an app's key away from its server and from GitHub. `isWhole`: of an operation that goes on whatever GitHub or the
 * server answers, and says what stays.
 */
export function keyLeavingSteps<I extends Input>(
  deps: GithubDeps,
  { of, isWhole }: { of: string; isWhole: boolean },
): Step<I>[] {
  const onOwn =
    (work: (context: Context, row: DeployKeyRow) => Promise<StepOutcome | undefined>) =>
    async (context: StepContext<I>): Promise<StepOutcome | undefined> => {
      const row = await findDeployKey({ owner: context.owner, db: deps.store.db }, context.input.appId);
      if (!row) return { state: 'skipped', note: 'The app has no deploy key.' };
      if (row.repository !== of) return otherKey;
      return work(context, row);
    };
  return [
    {
      key: 'server-key',
      title: 'Take the deploy key from the server',
      run: onOwn((context) => removeOnServer(context, 'apps')),
    },
    {
      key: 'github-key',
      title: `Remove the deploy key from ${of}`,
      run: onOwn(async (context, row) => {
        try {
          return await removeFromGithub(deps, context, row);
        } catch (error) {
          if (!(error instanceof ProblemError) || (!isWhole && error.code === 'unavailable')) throw error;
          return { state: 'warned', note: staysAtGithub(deps, row, error) };
        }
      }),
    },
  ];
}

/** Throws for a server that cannot, but for one without the plugin: nobody can make it remove what it then has to say. */
export async function removeOnServer(
  { run, input }: Pick<Context, 'run' | 'input'>,
  as: 'apps' | 'root',
): Promise<StepOutcome | undefined> {
  const name = appName(input.longname);
  const ran = await run(as, deployKeys.remove(name), { accept: 'any' });
  if (homeport.isAbsent(ran))
    return {
      state: 'warned',
      note: `The server has no plugin of Homeport’s that could remove it. The key is in ${deployKeys.folderOf(name)}.`,
    };
  const failure = failureOf(ran);
  if (failure) throw new ProblemError('remote_failed', failureSentence(failure));
  return deployKeys.readRemoved(ran) ? undefined : { state: 'skipped', note: 'The server had no key.' };
}

export async function removeFromGithub(
  deps: GithubDeps,
  context: Pick<Context, 'owner' | 'operationId' | 'input'>,
  row: DeployKeyRow,
): Promise<StepOutcome | undefined> {
  const key = toLeave(row);
  if (key === null) return { state: 'skipped', note: 'GitHub does not have it.' };
  const was = await askAs(deps, context.owner, 'remove the deploy key', (ask) => removeDeployKey(ask, key));
  await forgetAtGithub(deps.store.db, context.owner, row.app_id);
  if (was || key.id !== null) await noteKeyEvent(deps, context, 'deploy_key_removed', row.repository);
  return was
    ? undefined
    : { state: 'skipped', note: 'GitHub no longer has it, or does not show the repository to you any more.' };
}

/** Says which key stays, and where a person can remove it. */
export function staysAtGithub(
  { settings }: Pick<GithubDeps, 'settings'>,
  { title, repository, github_id }: Pick<DeployKeyRow, 'title' | 'repository' | 'github_id'>,
  error: ProblemError,
): string {
  const stays = github_id === null ? 'may be at GitHub' : 'stays at GitHub';
  return `${error.message} The public half ${stays} and opens nothing without the private one. Remove “${title}” there: ${keysPageOf(settings, repository)}`;
}
