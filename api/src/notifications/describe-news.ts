import type { NoticeEvent } from '@homeport/contract/notifications/events';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import { duration } from './duration.ts';

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
  /** How less of such news comes, where no switch does that. */
  fewer?: string;
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
        text: `The certificate of ${event.domain} ends within ${inDays(event.days)}.`,
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
    case 'server.rebooted':
      return describeStart(event);
    case 'disk.filled':
    case 'disk.eased':
    case 'disk.filling':
    case 'disk.steadied':
      return describeDisk(event);
    case 'server.strained':
    case 'server.eased':
      return describeStrain(event);
    case 'backup.failed':
    case 'backup.missed':
    case 'backup.works-again':
      return describeBackup(event);
    case 'console-backup.failed':
    case 'console-backup.late':
    case 'console-backup.unproven':
    case 'console-backup.uncopied':
    case 'console-backup.works-again':
      return describeConsoleBackup(event);
    case 'website.failing':
    case 'website.works-again':
      return describeWebsite(event);
    case 'proxy-certificate.ends':
    case 'domain.astray':
    case 'domain.unserved':
    case 'domain.back':
      return describeDomain(event);
    case 'destination.broken':
      return {
        topic: `Destination ${event.name}`,
        text: `${event.name} takes no news any more, so none is sent there.`,
        details: [
          ['Why', event.problem],
          ['Since', event.at],
        ],
        page: '/profile#notifications',
        fewer: 'Open the destination there to try it, to enter another address or to remove it.',
      };
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

function describeStart(event: Extract<NoticeEvent, { event: 'server.rebooted' }>): Described {
  return {
    topic: `Start of ${event.serverName}`,
    text: `${event.serverName} has started anew.`,
    details: [
      ['Last report before', event.lastReportAt],
      ['Started', event.at],
    ],
    page: serverPage(event),
  };
}

type OfDisk = Extract<NoticeEvent, { event: `disk.${string}` }>;

function describeDisk(event: OfDisk): Described {
  const { serverName } = event;
  const full = `${percent(event.percent)} full`;
  const shared = { topic: `Disk of ${serverName}`, page: serverPage(event) };
  const growth = { ...shared, topic: `Growth of the disk of ${serverName}` };
  switch (event.event) {
    case 'disk.filled':
      return { ...shared, text: `The disk of ${serverName} is ${full}.`, details: [['Since', event.since]] };
    case 'disk.eased':
      return {
        ...shared,
        text: `The disk of ${serverName} has room again: it is ${full}.`,
        details: [['Since', event.until]],
      };
    case 'disk.filling':
      return {
        ...growth,
        text: `The disk of ${serverName} will be full in ${duration(event.fullAt - event.since)} if it goes on as in the last ${notificationRules.fillingHours} hours. It is ${full}.`,
        details: [['Full by then', event.fullAt]],
      };
    case 'disk.steadied':
      return {
        ...growth,
        text: `The disk of ${serverName} does not fill so fast any more: it is ${full}.`,
        details: [
          ['Filling since', event.since],
          ['Until', event.until],
        ],
      };
  }
}

type OfStrain = Extract<NoticeEvent, { event: 'server.strained' | 'server.eased' }>;

const resourceWords = {
  cpu: { topic: 'Processor', of: 'processor', use: 'busy' },
  ram: { topic: 'Memory', of: 'memory', use: 'in use' },
  swap: { topic: 'Swap', of: 'swap', use: 'in use' },
  load: { topic: 'Load', of: 'load', use: 'of its cores' },
} as const;

function describeStrain(event: OfStrain): Described {
  const { serverName, resource, since } = event;
  const { topic, of, use } = resourceWords[resource];
  const shared = { topic: `${topic} of ${serverName}`, page: serverPage(event) };
  const share = `${percent(event.percent)} ${use}`;
  const minutes = notificationRules.pressureMs / 60_000;
  if (event.event === 'server.strained')
    return {
      ...shared,
      text: `The ${of} of ${serverName} stays high: ${share}, for ${minutes} minutes now.`,
      details: [['Since', since]],
    };
  return {
    ...shared,
    text: `The ${of} of ${serverName} has eased: ${share}.`,
    details: [
      ['Since', since],
      ['Until', event.until],
    ],
  };
}

type OfBackup = Extract<NoticeEvent, { event: `backup.${string}` }>;

function describeBackup(event: OfBackup): Described {
  const { databaseName, serverName, serverKey, at } = event;
  const told = {
    'backup.failed': [`The scheduled backup of ${databaseName} failed.`, 'Begun'],
    'backup.missed': [`The scheduled backup of ${databaseName} did not come.`, 'Due'],
    'backup.works-again': [`Backups of ${databaseName} work again.`, 'Begun'],
  } as const;
  const [text, when] = told[event.event];
  return {
    topic: `Backups of ${databaseName}`,
    text,
    details: [
      [when, at],
      ['Server', serverName],
    ],
    page: `${databasePage(event)}#schedule`,
    switches: serverPage({ serverKey }),
  };
}

type OfConsoleBackup = Extract<NoticeEvent, { event: `console-backup.${string}` }>;

function describeConsoleBackup({ event, at }: OfConsoleBackup): Described {
  const told = {
    'console-backup.failed': ['The daily backup of this console failed.', 'Begun'],
    'console-backup.late': ['The daily backup of this console is late.', 'None since'],
    'console-backup.unproven': ['A backup of this console could not be restored in a test.', 'Begun'],
    'console-backup.uncopied': ['A backup of this console was not copied away from its machine.', 'Begun'],
    'console-backup.works-again': ['This console is backed up again.', 'Begun'],
  } as const;
  const [text, when] = told[event];
  return {
    ...{ topic: 'Backups of this console', text, details: [[when, at]], page: '/console#backups' },
    fewer: 'Such messages come while a schedule makes backups of this console, which that page sets.',
  };
}

type OfWebsite = Extract<NoticeEvent, { event: `website.${string}` }>;

function describeWebsite(event: OfWebsite): Described {
  const { proxyName, domain, path, since } = event;
  const website = path === null ? `The primary website of ${domain}` : `The website of ${domain}${path}`;
  const shared = { topic: `Website of ${domain}${path ?? ''}`, page: proxyPage(event) };
  if (event.event === 'website.works-again')
    return {
      ...shared,
      text: `${website} works again after ${duration(event.until - since)}.`,
      details: [
        ['Failing since', since],
        ['Works since', event.until],
        ['Proxy', proxyName],
      ],
    };
  return {
    ...shared,
    text: `${website} fails: ${event.errors} of the last ${event.requests} requests were answered with errors.`,
    details: [
      ['Since', since],
      ['Proxy', proxyName],
    ],
  };
}

type OfDomain = Extract<NoticeEvent, { event: `domain.${string}` | 'proxy-certificate.ends' }>;

function describeDomain(event: OfDomain): Described {
  const { proxyName, domain } = event;
  const shared = { topic: `Domain ${domain}`, page: proxyPage(event) };
  switch (event.event) {
    case 'proxy-certificate.ends':
      return {
        ...shared,
        topic: `Certificate of ${domain}`,
        text: `The certificate of ${domain} ends within ${inDays(event.days)}.`,
        details: [
          ['Ends', event.validTo],
          ['Proxy', proxyName],
        ],
      };
    case 'domain.astray':
      return {
        ...shared,
        text:
          event.missing === 'pointing'
            ? `DNS of ${domain} does not lead to the proxy service any more.`
            : `Nothing proves any more that ${domain} is yours.`,
        details: [
          ['Since', event.since],
          ['Served until', event.servedUntil],
          ['Proxy', proxyName],
        ],
      };
    case 'domain.unserved':
      return {
        ...shared,
        text: `${domain} is not served any more. Its page names the missing record.`,
        details: [
          ['Since', event.at],
          ['Proxy', proxyName],
        ],
      };
    case 'domain.back':
      return {
        ...shared,
        text: `${domain} leads to the proxy service again.`,
        details: [
          ['Failing since', event.since],
          ['In order since', event.until],
          ['Proxy', proxyName],
        ],
      };
  }
}

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;

const proxyPage = ({ proxyId }: { proxyId: string }) => `/proxy/${encodeURIComponent(proxyId)}`;

const appPage = ({ serverKey, longname }: { serverKey: string; longname: string }) =>
  `/app/${encodeURIComponent(serverKey)}/${encodeURIComponent(longname)}`;

const serverPage = ({ serverKey }: { serverKey: string }) => `/server/${encodeURIComponent(serverKey)}`;

/** Two servers, and two types on one, may have databases of one name. Facts that an earlier console noted lack the id. */
const databasePage = ({
  longname,
  databaseId,
}: {
  longname: string;
  databaseId?: string | null | undefined;
}) => `/databases/${encodeURIComponent(longname)}${databaseId ? `?id=${databaseId}` : ''}`;

function operationPage({
  serverKey,
  longname,
  database,
  databaseId,
}: Pick<
  Extract<NoticeEvent, { event: 'operation.failed' }>,
  'serverKey' | 'longname' | 'database' | 'databaseId'
>): string {
  if (database && longname !== null) return databasePage({ longname, databaseId });
  if (serverKey === null) return '/home';
  return longname === null ? serverPage({ serverKey }) : appPage({ serverKey, longname });
}

/** Rounds down to one decimal, so that 89.96 does not read as 90. */
const percent = (value: number) => `${(Math.floor(value * 10) / 10).toFixed(1)} %`;
