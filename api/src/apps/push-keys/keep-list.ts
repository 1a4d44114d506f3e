import type { PushList } from '@homeport/contract/apps/push-keys/schema';
import { canBecomeRoot } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { findApp } from '../../records/app-record.ts';
import { forgetReading, keepReadings } from '../../records/reading-record.ts';
import { findServer } from '../../records/server-record.ts';
import { accountOf } from '../../remote/server-access.ts';
import { recordOnApp } from '../changes/on-app.ts';
import { deployingName } from './deploying-key.ts';
import { describeKeys, keptOf } from './describe-keys.ts';
import type { KeysOnServer } from './read-on-server.ts';
import { listOwnKeys } from './records.ts';

type Kept = { db: Kysely<Database>; owner: Owner; appId: string };

/** Keeps who may push to an app, as its server has just said it, and describes it for the page. */
export async function keepList({ db, owner, appId }: Kept, keys: KeysOnServer): Promise<PushList> {
  const { server_id } = await findApp({ owner, db }, appId);
  const account = accountOf(await findServer({ owner, db }, server_id), 'root');
  const told = describeKeys(keys, {
    own: await listOwnKeys(db, owner),
    deploys: await deployingName(db, owner, appId),
    mayAdd: canBecomeRoot(account),
  });
  const ids = [...new Set(told.keys.flatMap(({ listed, keyId }) => (listed && keyId ? [keyId] : [])))];
  const isOpen = (keys.listed ?? []).length === 0;
  // Ids alone cannot say that only keys of others may push.
  await recordOnApp(db, { owner }, appId, { keys: isOpen || ids.length > 0 ? ids : null });
  await keepReadings(db, owner, appId, { pushers: keptOf(told) });
  return told;
}

/** Before a change: if it is cut off, nobody knows who may push until the server is asked again. */
export async function forgetList({ db, owner, appId }: Kept): Promise<void> {
  await recordOnApp(db, { owner }, appId, { keys: null });
  await forgetReading(db, owner, appId, 'pushers');
}
