import type { ReadingPart } from '@homeport/contract/apps/facts';
import { appMissingText } from '@homeport/contract/apps/health';
import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOnServer } from '../../connections/call-on-server.ts';
import { useConnectionState } from '../../connections/connection-state.ts';
import { onServerKey } from '../../data/query-keys.ts';
import type { RouteInput, RouteOutput } from '../../data/route-types.ts';
import { useApi } from '../../data/use-api.ts';
import { askedOnce } from '../../on-server/asked-once.ts';
import { answerOf, type OnServer } from '../../on-server/server-answer.ts';
import { useSeen } from '../../on-server/use-seen.ts';
import { consoleTime } from '../../ui/text/console-time.ts';
import type { AppPlace } from './app-place.ts';
import { isCurrent } from './is-current.ts';
import { tellsNews } from './last-operation.ts';
import { useLastOperation } from './use-last-operation.ts';

/** The answers of these routes are kept by the console. Values of variables are not. */
const keptParts = {
  'GET /api/apps/:id/deploys': 'deploys',
  'GET /api/apps/:id/readme': 'readme',
  'GET /api/apps/:id/resources': 'resources',
  'GET /api/apps/:id/system': 'system',
  'GET /api/apps/:id/storage': 'storage',
  'GET /api/apps/:id/processes': 'processes',
  'GET /api/apps/:id/environment': null,
  'GET /api/apps/:id/ports': null,
  'GET /api/apps/:id/cron': null,
  'GET /api/apps/:id/checks': null,
  'GET /api/apps/:id/push-keys': null,
} as const satisfies Record<string, ReadingPart | null>;

export type ServerRoute = keyof typeof keptParts;

export interface ServerView<T> {
  state: OnServer<T>;
  /** The cache key of the answer, for a change that brings a new answer along. */
  queryKey: QueryKey;
}

/**
 * A fact about an app: at once what the console keeps, and then the server's own answer. The server is asked
 * without asking the user, only while a connection is open, only once the section was on the screen, and only
 * where what is kept may no longer hold. The page does not poll: it reads again after each deploy and after
 * each operation on the app.
 *
 * @param section the id of the section that shows the fact; null: it is on the screen
 */
export function useOnServer<K extends ServerRoute>(
  route: K,
  { app, server }: AppPlace,
  section: string | null,
): ServerView<RouteOutput<K>> {
  const client = useQueryClient();
  const connection = useConnectionState(server)?.kind;
  const seen = useSeen(section);
  const over = useLastOperation(app.id, tellsNews);
  const kept = useKept(route, app.id);
  const gone = app.missingSince !== null;
  const [openedAt] = useState(() => consoleTime());
  const holds =
    kept.reading !== null &&
    kept.part !== null &&
    isCurrent(
      {
        part: kept.part,
        readAt: kept.reading.readAt,
        plugin: server.dokkuPlugin.installed !== null,
        deployedAt: app.deployment.at,
        changedAt: over.operation?.endedAt ?? null,
      },
      openedAt,
    );
  // Kept apart from the topics of the console's own records, because a changed record says nothing about the
  // server.
  const queryKey = onServerKey(
    route,
    app.id,
    over.operation?.id ?? null,
    app.stopped,
    app.crash?.at,
    app.deployment.at,
  );
  const query = useQuery<RouteOutput<K>>({
    queryKey,
    queryFn: ({ signal }) =>
      callOnServer(client, route, { params: { id: app.id } } as RouteInput<K>, { quiet: true, signal }),
    enabled: connection === 'connected' && !gone && seen && over.known && kept.known && !holds,
    ...askedOnce,
    placeholderData: keepPreviousData,
  });
  const reading = kept.reading?.told as RouteOutput<K> | undefined;
  const data = holds ? reading : (query.data ?? reading);
  const state: OnServer<RouteOutput<K>> =
    gone && data === undefined
      ? { kind: 'closed', text: appMissingText }
      : answerOf({ ...query, data }, connection);
  return { state, queryKey };
}

/**
 * What the console keeps of the route's answer. `known`: the console has told, and has nothing newer. The news of a
 * deploy and what the server told with it come in two answers; the server must not be asked between them.
 */
function useKept(route: ServerRoute, appId: string) {
  const known = useApi('GET /api/apps/:id/known', { params: { id: appId } });
  const part = keptParts[route];
  return {
    part,
    reading: (part && known.data?.[part]) ?? null,
    known: part === null || !(known.isPending || known.isFetching),
  };
}
