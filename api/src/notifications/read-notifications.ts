import { noticeEventSchema } from '@homeport/contract/notifications/events';
import { type NotificationSubject, notificationKinds } from '@homeport/contract/notifications/kinds';
import type { Notifications } from '@homeport/contract/notifications/routes';
import { type NoticeSubject, type OwnerRead, readMutes, readNotices } from '@homeport/store';
import { describeNews } from './describe-news.ts';

/** The owner's notification settings for one server, app or proxy, and its past news. */
export async function readNotifications(
  scope: OwnerRead,
  subject: NoticeSubject,
  { mailConfigured }: { mailConfigured: boolean },
): Promise<Notifications> {
  const person = await scope.db
    .selectFrom('auth.user as u')
    .innerJoin('notice_destinations as d', 'd.owner_id', 'u.id')
    .select(['u.email', 'u.emailVerified', 'd.per_hour as perHour'])
    .where('u.id', '=', scope.owner)
    .where('d.kind', '=', 'email')
    .executeTakeFirstOrThrow();
  const mutes = await readMutes(scope, subject);
  const own = kindOf(subject);
  const isMuted = (of: NotificationSubject, kind: string | null) =>
    mutes.some((mute) => mute.of === of && mute.kind === kind);
  const notices = await readNotices(scope, subject);
  return {
    email: {
      address: person.email,
      problem: problemOf(mailConfigured, person.emailVerified),
      perHour: person.perHour,
    },
    silenced: isMuted(own, null),
    silencedByServer: own === 'app' && isMuted('server', null),
    kinds: notificationKinds[own].map((kind) => ({ kind, on: !isMuted(own, kind) })),
    news: notices.flatMap(({ facts, endedAt, state, ...notice }) => {
      const event = noticeEventSchema.safeParse(facts);
      if (!event.success) return [];
      const sentAt = state === 'sent' ? endedAt : null;
      return [{ ...notice, state, sentAt, text: describeNews(event.data).text }];
    }),
  };
}

function kindOf(subject: NoticeSubject): NotificationSubject {
  if ('proxyId' in subject) return 'proxy';
  return subject.appId === null ? 'server' : 'app';
}

function problemOf(mailConfigured: boolean, verified: boolean): Notifications['email']['problem'] {
  if (!mailConfigured) return 'no_mail_server';
  return verified ? null : 'unverified';
}
