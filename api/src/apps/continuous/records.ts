import type { ContinuousDeployment } from '@homeport/contract/github/schema';
import type { Database, Owner, OwnerRead } from '@homeport/store';
import type { Kysely, Updateable } from 'kysely';
import { notifyChange } from '../../live/notify-change.ts';
import { type PushedFrom, pushedFromSchema } from '../changes/on-app.ts';

/** What is set up for an app, part by part; null: nothing. */
export async function findSetUp(
  { db, owner }: OwnerRead,
  appId: string,
): Promise<ContinuousDeployment | null> {
  const row = await db
    .selectFrom('continuous_deployments')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    repository: row.repository,
    branch: row.branch,
    fingerprint: row.fingerprint,
    secretSetAt: row.secret_set_at,
    commitUrl: row.commit_url,
    pullUrl: row.pull_url,
  };
}

/** The repository and branch whose pushes deploy the app, or will: a set-up may still be going on. Null: none. */
export async function findPushedFrom({ db, owner }: OwnerRead, appId: string): Promise<PushedFrom | null> {
  const going = await db
    .selectFrom('operations')
    .select('input')
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .where('kind', '=', 'app.continuous')
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (going) return pushedFromSchema.parse(going.input);
  const row = await db
    .selectFrom('continuous_deployments')
    .select(['repository', 'branch'])
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return row ?? null;
}

/** Another app of the person that the same repository deploys to. One repository has one secret and one workflow. */
export async function findOtherApp(
  { db, owner }: OwnerRead,
  { appId, repository }: { appId: string; repository: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('continuous_deployments')
    .innerJoin('apps', 'apps.id', 'continuous_deployments.app_id')
    .select('apps.name')
    .where('continuous_deployments.owner_id', '=', owner)
    .where('continuous_deployments.app_id', '<>', appId)
    .where('continuous_deployments.repository', '=', repository)
    .executeTakeFirst();
  return row?.name ?? null;
}

type Changes = Omit<Updateable<Database['continuous_deployments']>, 'app_id' | 'owner_id'>;

/** Records a part that is done. The first part makes the record. */
export async function recordPart(
  db: Kysely<Database>,
  owner: Owner,
  { appId, repository, branch }: { appId: string; repository: string; branch: string },
  changes: Changes,
): Promise<void> {
  await db
    .insertInto('continuous_deployments')
    .values({
      app_id: appId,
      owner_id: owner,
      repository,
      branch,
      created_at: Date.now(),
      ...withoutUndefined(changes),
    })
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ repository, branch, ...changes }))
    .execute();
  await notifyChange(db, owner, 'apps', appId);
}

const withoutUndefined = ({ key_name, fingerprint, secret_set_at, commit_url, pull_url }: Changes) => ({
  ...(key_name !== undefined && { key_name }),
  ...(fingerprint !== undefined && { fingerprint }),
  ...(secret_set_at !== undefined && { secret_set_at }),
  ...(commit_url !== undefined && { commit_url }),
  ...(pull_url !== undefined && { pull_url }),
});

export async function forgetSetUp(db: Kysely<Database>, owner: Owner, appId: string): Promise<void> {
  await db
    .deleteFrom('continuous_deployments')
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .execute();
  await notifyChange(db, owner, 'apps', appId);
}
