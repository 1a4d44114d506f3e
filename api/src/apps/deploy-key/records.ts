import type { DeployKey } from '@homeport/contract/github/schema';
import type { Database, DeployKeyTable, Owner, OwnerRead } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { GithubSettings } from '../../github/settings.ts';
import { notifyChange } from '../../live/notify-change.ts';
import type { LeavingKey } from './at-github.ts';

export type DeployKeyRow = DeployKeyTable;

/** In place of GitHub's number: GitHub is known not to have the key. Without any number, an answer of GitHub may have been lost. */
export const goneFromGithub = 0;

/** The app's deploy key; null: none. */
export async function findDeployKey({ db, owner }: OwnerRead, appId: string): Promise<DeployKeyRow | null> {
  const row = await db
    .selectFrom('deploy_keys')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return row ?? null;
}

export type LocatedKey = DeployKeyRow & { longname: string; server_id: string };

/** The person's deploy keys, of all servers or of one. Without those that GitHub refused, of which no server has a part. */
export function listDeployKeys({ db, owner }: OwnerRead, serverId?: string): Promise<LocatedKey[]> {
  const all = db
    .selectFrom('deploy_keys')
    .innerJoin('apps', 'apps.id', 'deploy_keys.app_id')
    .selectAll('deploy_keys')
    .select(['apps.longname', 'apps.server_id'])
    .where('deploy_keys.owner_id', '=', owner)
    .where('apps.owner_id', '=', owner)
    .where('deploy_keys.public_key', 'is not', null)
    .orderBy('apps.longname');
  return (serverId === undefined ? all : all.where('apps.server_id', '=', serverId)).execute();
}

type Changes = Partial<
  Pick<DeployKeyRow, 'repository' | 'title' | 'public_key' | 'fingerprint' | 'github_id' | 'refusal'>
>;

/** Records a part of the key that is done. */
export async function keepDeployKey(
  db: Kysely<Database>,
  owner: Owner,
  { appId, repository, title }: { appId: string; repository: string; title: string },
  changes: Changes,
): Promise<void> {
  const values = { repository, title, ...changes };
  await db
    .insertInto('deploy_keys')
    .values({ app_id: appId, owner_id: owner, created_at: Date.now(), ...values })
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet(values))
    .execute();
  await notifyChange(db, owner, 'apps', appId);
}

/** Notes that GitHub does not have the key any more. */
export async function forgetAtGithub(db: Kysely<Database>, owner: Owner, appId: string): Promise<void> {
  await db
    .updateTable('deploy_keys')
    .set({ github_id: goneFromGithub })
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .execute();
  await notifyChange(db, owner, 'apps', appId);
}

export async function forgetDeployKey(db: Kysely<Database>, owner: Owner, appId: string): Promise<void> {
  await db.deleteFrom('deploy_keys').where('owner_id', '=', owner).where('app_id', '=', appId).execute();
  await notifyChange(db, owner, 'apps', appId);
}

/** What GitHub has to be asked so that it has the key no longer; null: it does not have the key. */
export function toLeave({
  repository,
  github_id: id,
  public_key: publicKey,
}: Pick<DeployKeyRow, 'repository' | 'github_id' | 'public_key'>): LeavingKey | null {
  if (id === goneFromGithub || (id === null && publicKey === null)) return null;
  return { repository, id, publicKey };
}

/** The page of GitHub with the deploy keys of a repository. */
export const keysPageOf = (settings: Pick<GithubSettings, 'site'>, repository: string) =>
  `${settings.site}/${repository}/settings/keys`;

export const toDeployKey = (
  settings: Pick<GithubSettings, 'site'>,
  { repository, title, fingerprint, github_id, created_at }: DeployKeyRow,
): DeployKey => ({
  repository,
  title,
  fingerprint,
  atGithub: github_id !== null && github_id !== goneFromGithub,
  url: keysPageOf(settings, repository),
  createdAt: created_at,
});
