import { firstDeployBranch } from '@homeport/contract/apps/facts';
import { addressKindOf } from '@homeport/contract/fields/server-address';
import { deployScopes, deploySecretName, workflowPath } from '@homeport/contract/github/facts';
import type { DeploymentPlan } from '@homeport/contract/github/schema';
import { deployWorkflow, knownHostsLine } from '@homeport/contract/github/workflow';
import { acl, appName, git } from '@homeport/dokku';
import { z } from 'zod';
import { askReading, type GithubDeps } from '../../github/account.ts';
import type { Ask } from '../../github/client.ts';
import { ProblemError } from '../../http/problem.ts';
import type { AppRow } from '../../records/app-record.ts';
import type { ServerAddresses } from '../../remote/server-addresses.ts';
import { remoteUrl } from '../deploy-instructions.ts';
import type { ReachedApp } from '../reach-app.ts';
import { findOtherApp } from './records.ts';
import { branchAnswer, read, readFile, readIfThere, repositoryPath } from './repository.ts';

export const repositoryAnswer = z.object({
  full_name: z.string().max(140),
  default_branch: z.string().max(250),
  archived: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean() }).nullish(),
});
export const sealingKeyAnswer = z.object({
  key_id: z.string().min(1).max(100),
  /** 32 bytes. */
  key: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
});

/** Reads from GitHub and from the server what a set-up would do. Changes nothing. */
export async function planDeployment(
  deps: GithubDeps & { addresses: ServerAddresses },
  reached: ReachedApp,
  signal: AbortSignal,
): Promise<DeploymentPlan> {
  const { app, owner } = reached;
  const repository = requireRepository(app);
  const other = await findOtherApp({ owner, db: deps.store.db }, { appId: app.id, repository });
  if (other !== null) throw deploysAnother(repository, other);
  const reach = await readReach(reached);
  const looked = await deps.addresses.of(owner, reached.server, signal);
  const deployBranch = await readDeployBranch(reached);
  return askReading(deps, owner, 'say what the repository has', async (ask, account) => {
    refuseNarrowGrant(account.scopes);
    const found = await readRepository(ask, repository);
    const branch = git.branchSchema.safeParse(found.default_branch);
    if (!branch.success)
      throw new ProblemError(
        'conflict',
        'The default branch has a name that Homeport does not pass on to Dokku. Nothing was changed.',
        { recovery: 'Rename the branch at GitHub to letters, digits, dots, slashes and hyphens.' },
      );
    const workflow = workflowOf(reached, branch.data);
    const now = await readFile(ask, repository, { path: workflowPath, branch: branch.data });
    const secret = repositoryPath(repository, 'actions', 'secrets', deploySecretName);
    const key = await read(
      ask,
      repositoryPath(repository, 'actions', 'secrets', 'public-key'),
      sealingKeyAnswer,
    );
    return {
      repository,
      branch: branch.data,
      isProtected: (await read(ask, repositoryPath(repository, 'branches', branch.data), branchAnswer))
        .protected,
      workflow,
      existing: now === null ? 'none' : now.text === workflow ? 'same' : 'other',
      hasSecret: (await readIfThere(ask, secret, z.object({ name: z.string() }))) !== null,
      sealingKey: { id: key.key_id, key: key.key },
      reach,
      // A name that DNS does not tell now may have any address.
      hasIpv4: looked.kind !== 'found' || looked.addresses.some((each) => addressKindOf(each) === 'ipv4'),
      deployBranchBefore: deployBranch === branch.data ? null : deployBranch,
    };
  });
}

/** The name of the linked repository. Throws `conflict` without one. */
export function requireRepository(app: Pick<AppRow, 'repository'>): string {
  if (app.repository !== null) return app.repository;
  throw new ProblemError('conflict', 'No repository is linked to this app.', { recovery: 'Link one first.' });
}

export const deploysAnother = (repository: string, name: string) =>
  new ProblemError(
    'conflict',
    `${repository} deploys to your app ${name} already. A repository has one secret and one workflow file.`,
    {
      recovery: `Undo the continuous deployment of ${name} first.`,
    },
  );

export function refuseNarrowGrant(scopes: readonly string[]): void {
  if (deployScopes.every((scope) => scope.includes(':') || scopes.includes(scope))) return;
  throw new ProblemError(
    'conflict',
    'Your GitHub account signs you in, and does not allow deployments yet.',
    {
      recovery: 'Choose “Allow deployments” on your profile, then begin again.',
    },
  );
}

async function readRepository(ask: Ask, repository: string) {
  const found = await read(ask, repositoryPath(repository), repositoryAnswer);
  if (found.archived)
    throw new ProblemError(
      'conflict',
      `${repository} is archived at GitHub, so nothing can be committed to it.`,
      {
        recovery: 'Unarchive it at GitHub, or link another repository.',
      },
    );
  if (!found.permissions?.push)
    throw new ProblemError('conflict', `Your GitHub account may not push to ${repository}.`, {
      recovery: 'Ask its owner for the right to push, or link another repository.',
    });
  return found;
}

/** Names the server's port, and pins the host key that this connection has proved. */
function workflowOf({ app, server, connection }: ReachedApp, branch: string): string {
  const { hostKeyType: type, hostKeyBlob: blob } = connection.facts;
  return deployWorkflow({
    longname: app.longname,
    remoteUrl: remoteUrl(server, app.longname),
    branch,
    deployBranch: branch,
    hostKey: knownHostsLine({ host: server.ip, port: server.port }, { type, blob }),
  });
}

async function readReach({ app, run }: ReachedApp): Promise<DeploymentPlan['reach']> {
  const listed = await run(acl.list(appName(app.longname)), { accept: 'any', quiet: true });
  if (listed.exitCode !== 0) return 'every_app';
  return acl.readList(listed).length > 0 ? 'this_app' : 'open_apps';
}

async function readDeployBranch({ app, run }: ReachedApp): Promise<string> {
  const { deployBranch, deployBranchSet } = git.readReport(
    await run(git.report(appName(app.longname)), { quiet: true }),
  );
  return deployBranchSet ? deployBranch : (app.deploy_branch ?? firstDeployBranch);
}
