import { deploySecretName, workflowPath } from '@homeport/contract/github/facts';
import { workflowMark } from '@homeport/contract/github/workflow';
import { acl, appName, sshKeys } from '@homeport/dokku';
import { z } from 'zod';
import { askAs, type GithubDeps, requireGithub } from '../../github/account.ts';
import { GithubFailure } from '../../github/refusal.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput } from '../changes/on-app.ts';
import { forgetSetUp } from './records.ts';
import { readFile, repositoryPath } from './repository.ts';
import { keyNameOf } from './set-up-deployment.ts';

const undoInput = onAppInput.extend({ repository: z.string(), branch: z.string() });
type Context = StepContext<z.output<typeof undoInput>>;

/**
 * Takes back what the set-up did, in the other order: without the workflow no run begins that would miss its key. The key goes in
 * any case, because it opens the server; the two steps at GitHub say what is left where GitHub refuses.
 */
export function undoDeployment(deps: GithubDeps): AnyOperationDefinition {
  return defineOperation<z.output<typeof undoInput>>({
    kind: 'app.continuous-remove',
    input: undoInput,
    title: ({ repository }) => `End of the deployment from ${repository}`,
    steps: () => [
      { key: 'key', title: 'Take the key from the server', run: removeKey },
      { key: 'workflow', title: 'Remove the workflow', run: (context) => removeWorkflow(deps, context) },
      { key: 'secret', title: 'Remove the secret', run: (context) => removeSecret(deps, context) },
      {
        key: 'record',
        title: 'Forget the set-up',
        run: async ({ owner, input }) => {
          await forgetSetUp(deps.store.db, owner, input.appId);
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function removeKey(context: Context): Promise<StepOutcome | undefined> {
  const { appId, longname } = context.input;
  const name = keyNameOf(appId);
  const listed = await context.run('apps', sshKeys.list(), { accept: 'any', quiet: true });
  const isThere = sshKeys.readList(listed)?.some((key) => key.name === name) ?? true;
  const allowed = await context.run('apps', acl.list(appName(longname)), { accept: 'any', quiet: true });
  if (allowed.exitCode === 0 && acl.readList(allowed).includes(name))
    await context.run('apps', acl.remove(appName(longname), name));
  if (!isThere) return { state: 'skipped', note: 'The server no longer had the key.' };
  await context.run('root', sshKeys.remove(name));
  return undefined;
}

/** Only the file that Homeport wrote for this app. Somebody may have replaced it since. */
async function removeWorkflow(given: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const { repository, branch, longname } = context.input;
  return atGithub(given, context, 'remove the workflow', async (ask) => {
    const now = await readFile(ask, repository, { path: workflowPath, branch });
    if (now === null) return { state: 'skipped', note: 'The repository has no such file.' };
    if (!now.text.startsWith(workflowMark(longname)))
      return { state: 'warned', note: `${workflowPath} is not the file that Homeport wrote. It stays.` };
    await ask({
      method: 'DELETE',
      path: repositoryPath(repository, 'contents', workflowPath),
      body: { message: `Deploy ${longname} no longer with each push`, sha: now.sha, branch },
      reply: z.object({ commit: z.object({ sha: z.string() }) }),
    });
    return undefined;
  });
}

async function removeSecret(given: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  return atGithub(given, context, 'remove the secret', async (ask) => {
    const path = repositoryPath(context.input.repository, 'actions', 'secrets', deploySecretName);
    // 204 without a body. Anything else did not come from GitHub, and the secret may be there still.
    await ask({ method: 'DELETE', path, reply: z.undefined() });
    return undefined;
  });
}

type Work = (ask: Parameters<Parameters<typeof askAs>[3]>[0]) => Promise<StepOutcome | undefined>;

/** What is gone there is done. Another refusal is a warning: the rest can be removed by hand, and the key is gone. */
async function atGithub(
  given: GithubDeps,
  context: Context,
  what: string,
  work: Work,
): Promise<StepOutcome | undefined> {
  const deps = requireGithub(given);
  return askAs(deps, context.owner, what, async (ask) => {
    try {
      return await work(ask);
    } catch (error) {
      if (!(error instanceof GithubFailure)) throw error;
      if (error.refusal.kind === 'not_found')
        return { state: 'skipped', note: 'The repository has it no longer.' };
      if (error.refusal.kind === 'conflict')
        return {
          state: 'warned',
          note: 'The branch is protected, so the file stays. Remove it by a pull request.',
        };
      throw error;
    }
  });
}
