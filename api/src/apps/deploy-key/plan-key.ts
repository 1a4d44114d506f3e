import { type DeployKeyObstacle, deployKeyPlugin } from '@homeport/contract/github/facts';
import type { DeployKeyPlan } from '@homeport/contract/github/schema';
import { isDokkuAtLeast, oldestDokku } from '@homeport/contract/servers/dokku-versions';
import { appName, deployKeys, git } from '@homeport/dokku';
import type { Owner } from '@homeport/store';
import { z } from 'zod';
import { askReading, type GithubDeps } from '../../github/account.ts';
import { gitSshOf } from '../../github/settings.ts';
import type { AppRow } from '../../records/app-record.ts';
import type { ServerRow } from '../../records/server-record.ts';
import { requireRepository } from '../continuous/plan-deployment.ts';
import { read, repositoryPath } from '../continuous/repository.ts';
import { readGitHost } from './git-host.ts';
import { findDeployKey, toDeployKey } from './records.ts';

type Located = { owner: Owner; app: AppRow; server: ServerRow };
type Obstacle = { reason: DeployKeyObstacle; text: string };

const rightsAnswer = z.object({ permissions: z.object({ admin: z.boolean() }).nullish() });

/** Reads what a deploy with the app's own key would put where, or why there can be none. Changes nothing and asks no server. */
export async function planDeployKey(deps: GithubDeps, located: Located): Promise<DeployKeyPlan> {
  const { owner, app, server } = located;
  const repository = requireRepository(app);
  const row = await findDeployKey({ owner, db: deps.store.db }, app.id);
  const own = row?.repository === repository ? row : null;
  const { host, port } = gitSshOf(deps.settings);
  return {
    repository,
    key: own?.public_key ? toDeployKey(deps.settings, own) : null,
    title: titleOf(server, app),
    folder: deployKeys.folderOf(appName(app.longname)),
    alias: git.hostAlias(appName(app.longname)),
    host: port === 22 ? host : `${host}, port ${port}`,
    obstacle:
      obstacleOn(server) ??
      (own?.refusal
        ? { reason: 'refused', text: own.refusal }
        : await obstacleAtGithub(deps, owner, repository)),
  };
}

/** The name of the key at GitHub. Several consoles and servers may have keys there. */
export function titleOf({ name }: Pick<ServerRow, 'name'>, { longname }: Pick<AppRow, 'longname'>): string {
  return `Homeport: app ${longname} on ${name}`.slice(0, 200);
}

function obstacleOn({ dokku_plugin: plugin, dokku_version: version }: ServerRow): Obstacle | null {
  if (plugin === null || !isDokkuAtLeast(plugin, deployKeyPlugin))
    return {
      reason: 'plugin',
      text: `The server makes deploy keys with Homeport’s Dokku plugin ${deployKeyPlugin}, which it does not have. Its page offers it.`,
    };
  if (version !== null && !isDokkuAtLeast(version, oldestDokku))
    return {
      reason: 'dokku',
      text: `Dokku ${version} is older than ${oldestDokku}, the oldest with which deploy keys were tried.`,
    };
  return null;
}

function obstacleAtGithub(deps: GithubDeps, owner: Owner, repository: string): Promise<Obstacle | null> {
  return askReading(deps, owner, 'say what your account may do', async (ask) => {
    const { permissions } = await read(ask, repositoryPath(repository), rightsAnswer);
    if (!permissions?.admin)
      return {
        reason: 'no_admin',
        text: `Your GitHub account may not add keys to ${repository}: only its administrators may.`,
      };
    if ((await readGitHost(deps.settings, ask)) === null) return noHostKeys;
    return null;
  });
}

export const noHostKeys: Obstacle = {
  reason: 'no_host_keys',
  text: 'This GitHub does not publish the keys of its git host, so a server could not know whom it reaches. The operator of this console can set them.',
};
