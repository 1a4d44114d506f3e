import { createHash } from 'node:crypto';
import { deploySecretName } from '@homeport/contract/github/facts';
import { acl, appName, canBecomeRoot, failureOf, git, sshKeys } from '@homeport/dokku';
import { z } from 'zod';
import { askAs, type GithubDeps } from '../../github/account.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { findServer } from '../../records/server-record.ts';
import { accountOf } from '../../remote/server-access.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput, recordOnApp } from '../changes/on-app.ts';
import { keyNameOf } from '../push-keys/deploying-key.ts';
import { forgetList, keepList } from '../push-keys/keep-list.ts';
import { usedKeys } from '../push-keys/read-on-server.ts';
import { commitWorkflow } from './commit-workflow.ts';
import { refuseNarrowGrant } from './plan-deployment.ts';
import { recordPart } from './records.ts';
import { repositoryPath } from './repository.ts';

export const setUpInput = onAppInput.extend({
  repository: z.string(),
  branch: z.string(),
  publicKey: z.string(),
  /** GitHub alone can open it. */
  secret: z.object({ keyId: z.string(), sealed: z.string() }),
  workflow: z.string(),
});
type Input = z.output<typeof setUpInput>;
type Context = StepContext<Input>;

/**
 * Sets up that each push to a repository deploys the app. The order matters: the commit of the workflow is a push itself, and its
 * run needs the key and the secret. Each step asks first, so that it can be repeated.
 */
export function setUpDeployment(deps: GithubDeps): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'app.continuous',
    input: setUpInput,
    title: ({ repository }) => `Continuous deployment from ${repository}`,
    steps: () => [
      { key: 'key', title: 'Put the key on the server', run: (context) => addKey(deps, context) },
      { key: 'branch', title: 'Let the default branch deploy', run: (context) => setBranch(deps, context) },
      {
        key: 'secret',
        title: 'Set the secret of the repository',
        run: (context) => setSecret(deps, context),
      },
      { key: 'workflow', title: 'Commit the workflow', run: (context) => addWorkflow(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

/** As OpenSSH shows it: SHA-256 of the blob, without padding. */
function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').slice(0, 43)}`;
}

async function addKey({ store }: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const { appId, longname, publicKey } = context.input;
  const { owner } = context;
  const name = keyNameOf(appId);
  const app = appName(longname);
  const { server_id } = await findApp({ owner, db: store.db }, appId);
  const server = await findServer({ owner, db: store.db }, server_id);
  if (!canBecomeRoot(accountOf(server, 'root')))
    throw new ProblemError(
      'conflict',
      `Adding a key needs root, and ${server.username} may not become that on ${server.name}.`,
    );
  const fingerprint = fingerprintOf(publicKey);
  const listed = await context.run('apps', sshKeys.list(), { accept: 'any', quiet: true });
  const there = sshKeys.readList(listed);
  const present = there?.find((key) => key.name === name);
  if (present && present.fingerprint !== fingerprint) await context.run('root', sshKeys.remove(name));
  if (present?.fingerprint !== fingerprint) {
    const failure = failureOf(await context.run('root', sshKeys.add(name, publicKey), { accept: 'any' }));
    if (failure && failure.code !== 'duplicate_key')
      throw new ProblemError('remote_failed', 'The server did not take the key. The log shows why.');
  }
  await recordPart(store.db, owner, context.input, { key_name: name, fingerprint });
  const allowed = await context.run('apps', acl.list(app), { accept: 'any', quiet: true });
  if (allowed.exitCode !== 0)
    return {
      state: 'warned',
      note: 'The acl plugin is not installed: the key may push to every app of this server.',
    };
  const users = acl.readList(allowed);
  // The first name in an empty list would lock out every other key.
  if (users.length === 0)
    return {
      state: 'warned',
      note: 'The app has no list of keys: this key may push to every app without one.',
    };
  if (!users.includes(name)) await context.run('apps', acl.add(app, name), { accept: [0, 2] });
  // Also where a try that was cut off added it.
  const kept = { db: store.db, owner, appId };
  if (there === null) await forgetList(kept);
  else {
    const keys = [...there.filter((key) => key.name !== name), { name, fingerprint }];
    await keepList(kept, { keys: usedKeys(keys), listed: [...new Set([...users, name])] });
  }
  return undefined;
}

async function setBranch({ store }: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const { appId, longname } = context.input;
  const app = appName(longname);
  const branch = git.branchSchema.parse(context.input.branch);
  const { deployBranch, deployBranchSet } = git.readReport(
    await context.run('apps', git.report(app), { quiet: true }),
  );
  if (deployBranchSet && deployBranch === branch)
    return { state: 'skipped', note: `Dokku builds ${branch} already.` };
  await context.run('apps', git.setDeployBranch(app, branch));
  await recordOnApp(store.db, context, appId, { deploy_branch: branch });
  return undefined;
}

async function setSecret(deps: GithubDeps, context: Context): Promise<undefined> {
  const { repository, secret } = context.input;
  await askAs(deps, context.owner, 'set the secret', async (ask, { scopes }) => {
    refuseNarrowGrant(scopes);
    try {
      await ask({
        method: 'PUT',
        path: repositoryPath(repository, 'actions', 'secrets', deploySecretName),
        body: { encrypted_value: secret.sealed, key_id: secret.keyId },
        // 201 with an empty object for a new secret, 204 without a body for another value.
        reply: z.union([z.undefined(), z.null(), z.strictObject({})]),
      });
    } catch (error) {
      if (error instanceof GithubFailure && error.refusal.kind === 'invalid') throw otherSealingKey();
      throw error;
    }
  });
  await recordPart(deps.store.db, context.owner, context.input, { secret_set_at: deps.clock() });
  return undefined;
}

const otherSealingKey = () =>
  new ProblemError(
    'conflict',
    'GitHub has another key for the secrets of this repository by now, so the sealed key is of no use.',
    {
      recovery:
        'Close this and set up the deployment again. The page makes a new key, which replaces the one on the server.',
    },
  );

async function addWorkflow(deps: GithubDeps, context: Context): Promise<StepOutcome | undefined> {
  const done = await askAs(deps, context.owner, 'take the workflow', (ask, { scopes }) => {
    refuseNarrowGrant(scopes);
    return commitWorkflow(ask, context.input);
  });
  const { owner } = context;
  if (done.kind === 'there') return { state: 'skipped', note: 'The repository has this file already.' };
  if (done.kind === 'proposed') {
    await recordPart(deps.store.db, owner, context.input, { pull_url: done.url, commit_url: null });
    await context.result({ pullUrl: done.url });
    return { state: 'warned', note: `The branch is protected. Merge the pull request to begin: ${done.url}` };
  }
  await recordPart(deps.store.db, owner, context.input, { commit_url: done.url, pull_url: null });
  await context.result({ commitUrl: done.url });
  return undefined;
}
