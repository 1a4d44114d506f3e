import type { NotificationKind } from '@homeport/contract/notifications/kinds';
import {
  muteNotices,
  type NoticeSubject,
  type OwnerRead,
  ownerFromSession,
  type Store,
} from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { notifyChange } from '../live/notify-change.ts';
import { markSeen } from '../operations/mark-seen.ts';
import { findApp } from '../records/app-record.ts';
import { findProxyOutline } from '../records/proxy-record.ts';
import { findServer } from '../records/server-record.ts';
import { acknowledge } from './incidents/acknowledge.ts';
import { incidentOf, mute } from './incidents/mute.ts';
import { listNews } from './list-news.ts';
import { readNotifications } from './read-notifications.ts';

type Deps = {
  store: Pick<Store, 'db' | 'read' | 'transact'>;
  clock: () => number;
  mailConfigured: boolean;
};

type Handled =
  | 'GET /api/notifications'
  | 'PUT /api/notifications/:id/acknowledgement'
  | 'PUT /api/notifications/:id/mute'
  | 'PUT /api/servers/:id/mute'
  | 'PUT /api/apps/:id/mute'
  | 'GET /api/servers/:id/notifications'
  | 'PUT /api/servers/:id/notifications'
  | 'GET /api/apps/:id/notifications'
  | 'PUT /api/apps/:id/notifications'
  | 'GET /api/proxies/:id/notifications'
  | 'PUT /api/proxies/:id/notifications'
  | 'POST /api/operations/:id/seen';

type Wish = { kind: NotificationKind | null; on: boolean };

export function notificationHandlers({ store, clock, mailConfigured }: Deps): Pick<Handlers, Handled> {
  const read = (userId: string, find: (scope: OwnerRead) => Promise<NoticeSubject>) =>
    store.read(ownerFromSession(userId), async (scope) =>
      readNotifications(scope, await find(scope), { mailConfigured }),
    );
  const change = (userId: string, find: (scope: OwnerRead) => Promise<NoticeSubject>, wish: Wish) =>
    store.transact(ownerFromSession(userId), async (scope) => {
      const subject = await find(scope);
      await muteNotices(scope, subject, wish);
      const { topic, id } = recordOf(subject);
      await notifyChange(scope.db, scope.owner, topic, id);
      return readNotifications(scope, subject, { mailConfigured });
    });
  return {
    'GET /api/notifications': ({ session, query }) =>
      store.read(ownerFromSession(session.userId), (scope) => listNews(scope, query, clock())),
    'PUT /api/notifications/:id/acknowledgement': ({ session, params, body }) =>
      acknowledge({ store, clock }, session, params.id, body.acknowledged),
    'PUT /api/notifications/:id/mute': ({ session, params, body }) =>
      mute({ store, clock }, session, incidentOf(params.id), body.minutes),
    'PUT /api/servers/:id/mute': ({ session, params, body }) =>
      mute({ store, clock }, session, mutedServer(params.id), body.minutes),
    'PUT /api/apps/:id/mute': ({ session, params, body }) =>
      mute({ store, clock }, session, mutedApp(params.id), body.minutes),
    'GET /api/servers/:id/notifications': ({ session, params }) => read(session.userId, serverOf(params.id)),
    'PUT /api/servers/:id/notifications': ({ session, params, body }) =>
      change(session.userId, serverOf(params.id), body),
    'GET /api/apps/:id/notifications': ({ session, params }) => read(session.userId, appOf(params.id)),
    'PUT /api/apps/:id/notifications': ({ session, params, body }) =>
      change(session.userId, appOf(params.id), body),
    'GET /api/proxies/:id/notifications': ({ session, params }) => read(session.userId, proxyOf(params.id)),
    'PUT /api/proxies/:id/notifications': ({ session, params, body }) =>
      change(session.userId, proxyOf(params.id), body),
    'POST /api/operations/:id/seen': async ({ session, params }) => {
      await markSeen(store.db, ownerFromSession(session.userId), params.id, clock());
      return { seen: true };
    },
  };
}

const serverOf = (id: string) => async (scope: OwnerRead) => ({
  serverId: (await findServer(scope, id)).id,
  appId: null,
});

const appOf = (id: string) => async (scope: OwnerRead) => {
  const app = await findApp(scope, id);
  return { serverId: app.server_id, appId: app.id };
};

const mutedServer = (id: string) => async (scope: OwnerRead) => ({
  ...{ of: 'server' as const, id: (await findServer(scope, id)).id },
});

const mutedApp = (id: string) => async (scope: OwnerRead) => ({
  ...{ of: 'app' as const, id: (await findApp(scope, id)).id },
});

const proxyOf = (id: string) => async (scope: OwnerRead) => ({
  proxyId: (await findProxyOutline(scope, id)).id,
});

/** The record whose pages show the switches. */
function recordOf(subject: NoticeSubject) {
  if ('proxyId' in subject) return { topic: 'proxies', id: subject.proxyId } as const;
  const { serverId, appId } = subject;
  return appId === null
    ? ({ topic: 'servers', id: serverId } as const)
    : ({ topic: 'apps', id: appId } as const);
}
