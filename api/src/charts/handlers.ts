import { type OwnerRead, ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { findApp } from '../records/app-record.ts';
import { findDatabase } from '../records/database-record.ts';
import { findServer } from '../records/server-record.ts';
import { type MarkedRecord, readMarks } from './read-marks.ts';

type MarkRoute = Extract<keyof Handlers, `GET /api/${string}/marks`>;
type Deps = { store: Pick<Store, 'read'>; clock: () => number };

export function chartHandlers({ store, clock }: Deps): Pick<Handlers, MarkRoute> {
  const read = (
    userId: string,
    record: MarkedRecord,
    { spanSeconds, to = clock() }: { spanSeconds: number; to?: number | undefined },
  ) =>
    store.read(ownerFromSession(userId), async (scope) => {
      await findRecord(scope, record);
      return readMarks(scope, record, { from: to - spanSeconds * 1000, to });
    });
  return {
    'GET /api/servers/:id/marks': ({ session, params, query }) =>
      read(session.userId, { serverId: params.id }, query),
    'GET /api/apps/:id/marks': ({ session, params, query }) =>
      read(session.userId, { appId: params.id }, query),
    'GET /api/databases/:id/marks': ({ session, params, query }) =>
      read(session.userId, { databaseId: params.id }, query),
  };
}

/** @throws ProblemError if the record is not the person's. */
async function findRecord(scope: OwnerRead, record: MarkedRecord): Promise<void> {
  if ('serverId' in record) await findServer(scope, record.serverId);
  else if ('appId' in record) await findApp(scope, record.appId);
  else await findDatabase(scope, record.databaseId);
}
