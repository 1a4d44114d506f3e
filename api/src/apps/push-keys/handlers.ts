import type { PushList } from '@homeport/contract/apps/push-keys/schema';
import { appName } from '@homeport/dokku';
import type { Handlers } from '../../http/handlers.ts';
import { keepReadings, readKnown } from '../../records/reading-record.ts';
import { type AppDeps, type ReachedApp, reachApp, startOnApp } from '../reach-app.ts';
import { deployingName } from './deploying-key.ts';
import { describeKeys, keptOf } from './describe-keys.ts';
import { readKeysOnServer } from './read-on-server.ts';
import { listOwnKeys } from './records.ts';

type Handled = 'GET /api/apps/:id/push-keys' | 'POST /api/apps/:id/push-keys';

export function pushKeyHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  const { db } = deps.store;
  const read = async ({ app, owner, run, rootLogin }: ReachedApp): Promise<PushList> => {
    const askedAt = Date.now();
    const told = describeKeys(await readKeysOnServer(run, appName(app.longname)), {
      own: await listOwnKeys(db, owner),
      deploys: await deployingName(db, owner, app.id),
      mayAdd: rootLogin !== null,
    });
    // A change may have kept a newer list meanwhile.
    const kept = (await deps.store.read(owner, (scope) => readKnown(scope, app.id))).pushers;
    if (kept === null || kept.readAt < askedAt)
      await keepReadings(db, owner, app.id, { pushers: keptOf(told) });
    return told;
  };
  return {
    'GET /api/apps/:id/push-keys': async ({ session, params, signal }) =>
      read(await reachApp(deps, session, params.id, signal)),
    'POST /api/apps/:id/push-keys': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.push-keys', body),
  };
}
