import type { NoticeEvent } from '@homeport/contract/notifications/events';

/** A piece of news in words, for every channel. */
export type Described = {
  /**
   * The incident. All news of one incident have the same topic, which is true at its beginning and at its
   * end.
   */
  topic: string;
  text: string;
  /** More facts, each with its name. Times are epoch milliseconds. */
  details: readonly (readonly [name: string, value: string | number])[];
  /** The path of the page that shows the news, below the console's origin. */
  page: string;
  /** The path of the page that has the switches for such news, where that is another page. */
  switches?: string;
};

/** Puts an event into words. */
export function describeNews(event: NoticeEvent): Described {
  switch (event.event) {
    case 'app.went-down':
      return {
        topic: `Outage of ${event.appName}`,
        text: `${event.appName} is down.`,
        details: [
          ['Since', event.since],
          ['Why', event.reason],
          ['Asked for', event.url],
          ['Server', event.serverName],
        ],
        page: appPage(event),
      };
    case 'app.came-up':
      return {
        topic: `Outage of ${event.appName}`,
        text: `${event.appName} is up again after ${duration(event.until - event.since)}.`,
        details: [
          ['Down since', event.since],
          ['Up since', event.until],
          ['Server', event.serverName],
        ],
        page: appPage(event),
      };
    case 'certificate.ends':
      return {
        topic: `Certificate of ${event.domain}`,
        text: `The certificate of ${event.domain} ends within ${event.days} ${event.days === 1 ? 'day' : 'days'}.`,
        details: [
          ['Ends', event.validTo],
          ['App', event.appName],
          ['Server', event.serverName],
        ],
        page: appPage(event),
      };
    case 'deploy.failed':
      return {
        topic: `Deploys of ${event.appName}`,
        text: `A deploy of ${event.appName} failed.`,
        details: [
          ['Begun', event.at],
          ['Server', event.serverName],
        ],
        page: appPage(event),
      };
    case 'server.went-silent':
      return {
        topic: `Reports of ${event.serverName}`,
        text: `${event.serverName} is offline: its reports have stopped.`,
        details: [['Last report', event.since]],
        page: serverPage(event),
      };
    case 'server.came-back':
      return {
        topic: `Reports of ${event.serverName}`,
        text: `${event.serverName} is online again after ${duration(event.until - event.since)}.`,
        details: [
          ['Last report before', event.since],
          ['First report after', event.until],
        ],
        page: serverPage(event),
      };
    case 'disk.filled':
      return {
        topic: `Disk of ${event.serverName}`,
        text: `The disk of ${event.serverName} is ${percent(event.percent)} full.`,
        details: [['Since', event.since]],
        page: serverPage(event),
      };
    case 'disk.eased':
      return {
        topic: `Disk of ${event.serverName}`,
        text: `The disk of ${event.serverName} has room again: it is ${percent(event.percent)} full.`,
        details: [['Since', event.until]],
        page: serverPage(event),
      };
    case 'backup.failed':
    case 'backup.missed':
    case 'backup.works-again':
      return describeBackup(event);
    case 'operation.failed':
      return {
        topic: `${event.title}${(event.longname ?? event.serverName) ? `: ${event.longname ?? event.serverName}` : ''}`,
        text: `${event.title}${event.longname ? ` of ${event.longname}` : ''} failed.`,
        details: [
          ['At', event.at],
          ...(event.step === null ? [] : [['Step', event.step] as const]),
          ...(event.serverName === null ? [] : [['Server', event.serverName] as const]),
        ],
        page: operationPage(event),
        ...(event.database && event.serverKey !== null
          ? { switches: serverPage({ serverKey: event.serverKey }) }
          : {}),
      };
  }
}

type OfBackup = Extract<NoticeEvent, { event: `backup.${string}` }>;

function describeBackup({ event, databaseName, longname, serverName, serverKey, at }: OfBackup): Described {
  const told = {
    'backup.failed': [`The scheduled backup of ${databaseName} failed.`, 'Begun'],
    'backup.missed': [`The scheduled backup of ${databaseName} did not come.`, 'Due'],
    'backup.works-again': [`Backups of ${databaseName} work again.`, 'Begun'],
  } as const;
  const [text, when] = told[event];
  return {
    topic: `Backups of ${databaseName}`,
    text,
    details: [
      [when, at],
      ['Server', serverName],
    ],
    page: `/databases/${encodeURIComponent(longname)}#schedule`,
    switches: serverPage({ serverKey }),
  };
}

const appPage = ({ serverKey, longname }: { serverKey: string; longname: string }) =>
  `/app/${encodeURIComponent(serverKey)}/${encodeURIComponent(longname)}`;

const serverPage = ({ serverKey }: { serverKey: string }) => `/server/${encodeURIComponent(serverKey)}`;

function operationPage({
  serverKey,
  longname,
  database,
}: {
  serverKey: string | null;
  longname: string | null;
  database: boolean;
}): string {
  if (database && longname !== null) return `/databases/${encodeURIComponent(longname)}`;
  if (serverKey === null) return '/home';
  return longname === null ? serverPage({ serverKey }) : appPage({ serverKey, longname });
}

/** Rounds down to one decimal, so that 89.96 does not read as 90. */
const percent = (value: number) => `${(Math.floor(value * 10) / 10).toFixed(1)} %`;

function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
