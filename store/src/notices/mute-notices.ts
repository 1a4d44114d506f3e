import type { NotificationKind } from '@homeport/contract/notifications/kinds';
import { sql } from 'kysely';
import type { OwnerWrite } from '../owner.ts';

/** One of the owner's own servers or apps; whoever calls has looked it up as the owner's. */
export type NoticeSubject = { serverId: string; appId: string | null };

/** Has the owner told of one kind of news, or of all with the kind null, or not. */
export async function muteNotices(
  { db }: Pick<OwnerWrite, 'db'>,
  { serverId, appId }: NoticeSubject,
  { kind, on }: { kind: NotificationKind | null; on: boolean },
): Promise<void> {
  const server = appId === null ? serverId : null;
  await (on
    ? sql`delete from notice_mutes where server_id is not distinct from ${server}::uuid
        and app_id is not distinct from ${appId}::uuid and kind is not distinct from ${kind}::text`
    : sql`insert into notice_mutes (server_id, app_id, kind) values (${server}, ${appId}, ${kind}) on conflict do nothing`
  ).execute(db);
}
