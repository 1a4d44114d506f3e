import type { NotificationKind } from '@homeport/contract/notifications/kinds';
import { sql } from 'kysely';
import type { OwnerWrite } from '../owner.ts';

/** One of the owner's own servers, apps or proxies; whoever calls has looked it up as the owner's. */
export type NoticeSubject = { serverId: string; appId: string | null } | { proxyId: string };

/** Has the owner told of one kind of news, or of all with the kind null, or not. */
export async function muteNotices(
  { db }: Pick<OwnerWrite, 'db'>,
  subject: NoticeSubject,
  { kind, on }: { kind: NotificationKind | null; on: boolean },
): Promise<void> {
  const { server, app, proxy } = columnsOf(subject);
  await (on
    ? sql`delete from notice_mutes where server_id is not distinct from ${server}::uuid
        and app_id is not distinct from ${app}::uuid and proxy_id is not distinct from ${proxy}::uuid
        and kind is not distinct from ${kind}::text`
    : sql`insert into notice_mutes (server_id, app_id, proxy_id, kind) values (${server}, ${app}, ${proxy}, ${kind})
        on conflict do nothing`
  ).execute(db);
}

function columnsOf(subject: NoticeSubject) {
  if ('proxyId' in subject) return { server: null, app: null, proxy: subject.proxyId };
  const { serverId, appId } = subject;
  return { server: appId === null ? serverId : null, app: appId, proxy: null };
}
