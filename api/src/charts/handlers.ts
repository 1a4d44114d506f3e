import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { findApp } from '../records/app-record.ts';
import { findServer } from '../records/server-record.ts';
import { type MarkedRecord, readMarks } from './read-marks.ts';

type Deps = { store: Pick<Store, 'read'>; clock: () => number };

export function chartHandlers({
  store,
  clock,
}: Deps): Pick<Handlers, 'GET /api/servers/:id/marks' | 'GET /api/apps/:id/marks'> {
  const read = (
    userId: string,
    record: MarkedRecord,
    { spanSeconds, to = clock() }: { spanSeconds: number; to?: number | undefined },
  ) =>
    store.read(ownerFromSession(userId), async (scope) => {
      await ('serverId' in record ? findServer(scope, record.serverId) : findApp(scope, record.appId));
      return readMarks(scope, record, { from: to - spanSeconds * 1000, to });
    });
  return {
    'GET /api/servers/:id/marks': ({ session, params, query }) =>
      read(session.userId, { serverId: params.id }, query),
    'GET /api/apps/:id/marks': ({ session, params, query }) =>
      read(session.userId, { appId: params.id }, query),
  };
}
