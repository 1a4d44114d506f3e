import { deploySecretName, proposalBranch, workflowPath } from '@homeport/contract/github/facts';
import { workflowMark } from '@homeport/contract/github/workflow';
import { acl, appName, sshKeys } from '@homeport/dokku';
import { z } from 'zod';
import { askAs, type GithubDeps } from '../../github/account.ts';
import type { Ask } from '../../github/client.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Step, StepContext, StepOutcome } from '../../operations/definition.ts';
import type { OnApp, PushedFrom } from '../changes/on-app.ts';
import { keyNameOf } from '../push-keys/deploying-key.ts';
import { forgetList, keepList } from '../push-keys/keep-list.ts';
import { usedKeys } from '../push-keys/read-on-server.ts';
import { refuseNarrowGrant } from './plan-deployment.ts';
import { findSetUp } from './records.ts';
import { presentNameOf, readFile, repositoryPath } from './repository.ts';

type Context = StepContext<OnApp>;

type DeploymentLeaving<I> = { onServer: Step<I>; atGithub: Step<I>[] };

/**
 * The steps that take a deployment back, in another order than the set-up: the key first, because it opens the server; then the
 * workflow, so that no run begins that would miss its secret. `isWhole`: of the destruction of the app, which the key has to precede,
 * because a push would make the app anew; it goes on whatever GitHub answers, and says what stays.
 */
export function deploymentLeaving<I extends OnApp>(
  deps: GithubDeps,
  { repository, branch }: PushedFrom,
  { isWhole }: { isWhole: boolean },
): DeploymentLeaving<I> {
  const site = `${deps.settings.site}/${repository}`;
  const orSay =
    (work: (context: Context) => Promise<StepOutcome | undefined>, stays: string) =>
    async (context: StepContext<I>): Promise<StepOutcome | undefined> => {
      try {
        return await work(context);
      } catch (error) {
        if (!isWhole || !(error instanceof ProblemError)) throw error;
        return { state: 'warned', note: `${error.message} ${stays}` };
      }
    };
  const file = `${site}/blob/${branch}/${workflowPath}`;
  const secrets = `${site}/settings/secrets/actions`;
  return {
    onServer: {
      // The operation that undoes a deployment has the name in the store, too.
      key: isWhole ? 'push-key' : 'key',
      title: 'Take the key of GitHub’s pushes from the server',
      run: (context) => (isWhole ? removeKeyFirst : removeKey)(deps, context),
    },
    atGithub: [
      {
        key: 'workflow',
        title: `Remove the workflow from ${repository}`,
        run: orSay(
          (context) => removeWorkflow(deps, context, { repository, branch, file }),
          `The workflow stays, and its runs fail without the key. Remove it there: ${file}`,
        ),
      },
      {
        key: 'secret',
        title: `Remove the secret from ${repository}`,
        run: orSay(
          (context) => removeSecret(deps, context, repository),
          `The secret ${deploySecretName} stays, and opens nothing any more. Remove it there: ${secrets}`,
        ),
      },
    ],
  };
}

/** A name that stands on the app's list alone stays there: on an empty list every key of the server could push. */
async function removeKey({ store: { db } }: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const { run, input, owner } = context;
  const name = keyNameOf(input.appId);
  const app = appName(input.longname);
  const listed = await run('apps', sshKeys.list(), { accept: 'any', quiet: true });
  const there = sshKeys.readList(listed);
  const isThere = there?.some((key) => key.name === name) ?? true;
  const allowed = await run('apps', acl.list(app), { accept: 'any', quiet: true });
  const names = allowed.exitCode === 0 ? acl.readList(allowed) : [];
  const isAlone = names.length === 1 && names[0] === name;
  if (names.includes(name) && !isAlone) await run('apps', acl.remove(app, name));
  // Before the key goes: that may fail, and the list has changed by now.
  const kept = { db, owner, appId: input.appId };
  if (names.length > 0 && there === null) await forgetList(kept);
  else if (names.length > 0 && there !== null)
    await keepList(kept, {
      keys: usedKeys(there.filter((key) => key.name !== name)),
      listed: isAlone ? names : names.filter((each) => each !== name),
    });
  if (isThere) await run('root', sshKeys.remove(name));
  if (isAlone)
    return {
      state: 'warned',
      note: 'Its name stays on the app’s list, which holds no other: on an empty list every key of the server could push. Nobody can push until you choose who may.',
    };
  return isThere ? undefined : { state: 'skipped', note: 'The server no longer had the key.' };
}

/** Where the account may not remove the key, somebody else can, and the destruction then goes on. */
async function removeKeyFirst(deps: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  try {
    const outcome = await removeKey(deps, context);
    // The list goes with the app.
    return outcome?.state === 'warned' ? undefined : outcome;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code !== 'remote_failed' && error.code !== 'not_allowed') throw error;
    throw new ProblemError(
      error.code,
      `${error.message} The key with which GitHub pushes stays on the server, and a push would make the app anew. The app was not destroyed.`,
      {
        ...error.details,
        recovery: `Run “dokku ssh-keys:remove ${keyNameOf(context.input.appId)}” as root on the server, then run this again.`,
      },
      { cause: error },
    );
  }
}

type File = PushedFrom & { file: string };

/** Only the file that Homeport wrote for this app. Somebody may have replaced it since. */
async function removeWorkflow(
  deps: GithubDeps,
  context: Context,
  { repository, branch, file }: File,
): Promise<StepOutcome | undefined> {
  const { longname, appId } = context.input;
  return atGithub(deps, context, { what: 'remove the workflow', repository, file }, async (ask, name) => {
    const now = await readFile(ask, name, { path: workflowPath, branch });
    if (now === null) {
      const proposed = await findSetUp({ owner: context.owner, db: deps.store.db }, appId);
      if (!proposed?.pullUrl) return { state: 'skipped', note: 'The repository has no such file.' };
      const note = `The pull request with the workflow stays. If it is still open, close it, and delete its branch ${proposalBranch}: ${proposed.pullUrl}`;
      return { state: 'warned', note };
    }
    if (!now.text.startsWith(workflowMark(longname)))
      return { state: 'warned', note: `${workflowPath} is not the file that Homeport wrote. It stays.` };
    await ask({
      method: 'DELETE',
      path: repositoryPath(name, 'contents', workflowPath),
      body: { message: `Deploy ${longname} no longer with each push`, sha: now.sha, branch },
      reply: z.object({ commit: z.object({ sha: z.string() }) }),
    });
    return undefined;
  });
}

async function removeSecret(
  deps: GithubDeps,
  context: Context,
  repository: string,
): Promise<StepOutcome | undefined> {
  return atGithub(deps, context, { what: 'remove the secret', repository }, async (ask, name) => {
    const path = repositoryPath(name, 'actions', 'secrets', deploySecretName);
    // 204 without a body. Anything else did not come from GitHub, and the secret may be there still.
    await ask({ method: 'DELETE', path, reply: z.undefined() });
    return undefined;
  });
}

type AtGithub = { what: string; repository: string; file?: string };

/** Lets `work` ask about the repository under its present name. What is gone there is done, and a branch may be protected. */
async function atGithub(
  deps: GithubDeps,
  { owner }: Context,
  { what, repository, file }: AtGithub,
  work: (ask: Ask, name: string) => Promise<StepOutcome | undefined>,
): Promise<StepOutcome | undefined> {
  return askAs(deps, owner, what, async (ask, { scopes }) => {
    refuseNarrowGrant(scopes);
    try {
      return await work(ask, await presentNameOf(ask, repository));
    } catch (error) {
      if (!(error instanceof GithubFailure)) throw error;
      if (error.refusal.kind === 'not_found')
        return { state: 'skipped', note: 'GitHub no longer has it, or does not show it to you any more.' };
      if (error.refusal.kind === 'conflict' && file)
        return {
          state: 'warned',
          note: `The branch is protected, so the file stays. Remove it by a pull request: ${file}`,
        };
      throw error;
    }
  });
}
