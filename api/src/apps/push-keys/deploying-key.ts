import { sshKeyName } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';

/**
 * The name of the key with which GitHub deploys an app. It is made of the app's id, so that it can be found again and never belongs to
 * another app. Dokku writes the name unescaped into a shell line.
 */
export const keyNameOf = (appId: string) => sshKeyName(`homeport-deploys-${appId.replaceAll('-', '')}`);

/** The same where a continuous deployment is set up; null: none is. */
export async function deployingName(
  db: Kysely<Database>,
  owner: Owner,
  appId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('continuous_deployments')
    .select('app_id')
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return row ? keyNameOf(appId) : null;
}
