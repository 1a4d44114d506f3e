import type { NoticeEvent } from '@homeport/contract/notifications/events';
import { type Described, describeNews } from './describe-news.ts';
import { duration } from './duration.ts';

export type Severity = 'info' | 'warning' | 'critical';

/** A piece of news in words, with what a program or a chat makes of it. */
export type Weighed = Described & {
  /** The event's name; `test` for a message that a person asked for. */
  event: NoticeEvent['event'] | 'test';
  severity: Severity;
  /** `firing`: something began. `resolved`: it is over. `none`: it happened and has no end. */
  state: 'firing' | 'resolved' | 'none';
  /** Names the incident: the same in all of its news. */
  incident: string;
  /** Of what begins: the path of the page on which somebody says that they look into it. It only shows the incident, because programs open links. */
  acknowledge: string | null;
  /** Of news that leaves together with other news of its server: which server that is, and which app on it. */
  server: { key: string; name: string; app: string | null } | null;
  /** Of an end that says it: how long the incident lasted, in milliseconds. */
  lasted: number | null;
  /** It was told before, and still goes on. */
  repeated: boolean;
  /** Epoch milliseconds. */
  at: number;
};

/** Puts an event into words and weighs it. The end of something weighs as much as its beginning. */
export function weighNews(
  event: NoticeEvent,
  { thread, at, repeatedAt = null }: { thread: string; at: number; repeatedAt?: number | null },
): Weighed {
  const state = stateOf(event.event);
  const described = describeNews(event);
  const since = 'since' in event ? event.since : at;
  return {
    ...described,
    ...(repeatedAt !== null && { text: `Still so after ${duration(repeatedAt - since)}: ${described.text}` }),
    repeated: repeatedAt !== null,
    ...{ event: event.event, severity: severityOf(event), state, incident: thread, at },
    acknowledge: state === 'firing' ? `/notifications?incident=${thread}` : null,
    server: serverOf(event),
    lasted: 'since' in event && 'until' in event ? event.until - event.since : null,
  };
}

function serverOf(event: NoticeEvent): Weighed['server'] {
  switch (event.event) {
    case 'app.went-down':
    case 'app.came-up':
      return { key: event.serverKey, name: event.serverName, app: event.appName };
    case 'server.went-silent':
    case 'server.came-back':
      return { key: event.serverKey, name: event.serverName, app: null };
    default:
      return null;
  }
}

function severityOf(event: NoticeEvent): Severity {
  switch (event.event) {
    case 'app.went-down':
    case 'app.came-up':
    case 'server.went-silent':
    case 'server.came-back':
    case 'website.failing':
    case 'website.works-again':
    case 'domain.unserved':
      return 'critical';
    case 'certificate.ends':
    case 'proxy-certificate.ends':
      return event.days <= 3 ? 'critical' : 'warning';
    case 'disk.filled':
    case 'disk.eased':
    case 'disk.filling':
    case 'disk.steadied':
    case 'server.strained':
    case 'server.eased':
    case 'backup.failed':
    case 'backup.missed':
    case 'backup.works-again':
    case 'console-backup.failed':
    case 'console-backup.late':
    case 'console-backup.unproven':
    case 'console-backup.uncopied':
    case 'console-backup.works-again':
    case 'domain.astray':
    case 'domain.back':
    case 'destination.broken':
      return 'warning';
    case 'server.rebooted':
    case 'deploy.failed':
    case 'operation.failed':
      return 'info';
  }
}

function stateOf(event: NoticeEvent['event']): Weighed['state'] {
  switch (event) {
    case 'app.went-down':
    case 'server.went-silent':
    case 'website.failing':
    case 'disk.filled':
    case 'disk.filling':
    case 'server.strained':
    case 'backup.failed':
    case 'backup.missed':
    case 'console-backup.failed':
    case 'console-backup.late':
    case 'console-backup.unproven':
    case 'console-backup.uncopied':
    case 'domain.astray':
    case 'domain.unserved':
      return 'firing';
    case 'app.came-up':
    case 'server.came-back':
    case 'website.works-again':
    case 'disk.eased':
    case 'disk.steadied':
    case 'server.eased':
    case 'backup.works-again':
    case 'console-backup.works-again':
    case 'domain.back':
      return 'resolved';
    case 'server.rebooted':
    case 'certificate.ends':
    case 'proxy-certificate.ends':
    case 'deploy.failed':
    case 'operation.failed':
    case 'destination.broken':
      return 'none';
  }
}

/** What a destination gets when its person asks whether it works. */
export function testNews(destination: string, at: number): Weighed {
  return {
    ...{
      event: 'test',
      severity: 'info',
      state: 'none',
      incident: destination,
      acknowledge: null,
      server: null,
      lasted: null,
      repeated: false,
      at,
    },
    ...{ topic: 'Test', text: 'This is a test. News of your servers and apps will arrive here.' },
    ...{ details: [], page: '/profile' },
  };
}
