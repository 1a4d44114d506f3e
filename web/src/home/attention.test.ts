import type { AppState } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import type { DatabaseStatus } from '@homeport/contract/databases/health';
import type { ServerStats } from '@homeport/contract/stats/schema';
import { describe, expect, it } from 'vitest';
import { statsFixture } from '../servers/stats-fixture.ts';
import { appAttention, attention, databaseAttention, inOrder, proxyAttention } from './attention.ts';

const now = 1_000_000 + 60_000;
const line = (name: string, stats: Partial<ServerStats> | null) => ({
  server: { key: name, name },
  stats: stats && statsFixture(stats),
});

describe('what needs attention', () => {
  it('lists offline servers first, then danger, then warnings, each with its figures', () => {
    const notices = attention(
      [
        line('lantern', { disk_percent: 83, disk_usage: 66.4 * 1024 ** 3 }),
        line('skerry', { load_percent: 93, load: [1.86, 1, 1], cpu_cores: 2 }),
        line('fairway', { update_time: now - 13 * 60_000 }),
      ],
      now,
    );
    expect(notices.map(({ title, band }) => [title.replace(/\s/g, ' '), band])).toEqual([
      ['fairway is offline', 'danger'],
      ['skerry CPU load at 93 %', 'danger'],
      ['lantern disk at 83 %', 'warning'],
    ]);
    expect(notices[0]?.detail).toMatch(/^Last stats \d\d:\d\d, 13 min ago$/);
    expect(notices[1]?.detail).toBe('Load 1.86 on 2 cores');
    expect(notices[2]?.detail).toBe('66.4 GB of 80 GB used');
  });

  it('says only that a server is offline, because its last values no longer hold', () => {
    const notices = attention([line('fairway', { update_time: 0, disk_percent: 99, ram_percent: 99 })], now);
    expect(notices.map(({ title }) => title)).toEqual(['fairway is offline']);
  });

  it('is empty while all is well, and for servers that never reported', () => {
    expect(attention([line('lantern', {}), line('mole', null)], now)).toEqual([]);
  });
});

describe('the apps that need attention', () => {
  const app = (name: string, over: object = {}) =>
    ({
      ...{ id: name, name, longname: `${name}-x1`, serverKey: 'lantern', serverName: 'lantern', crash: null },
      deployment: { status: 'succeeded', at: now },
      ...over,
    }) as unknown as App;
  const running = () => ({ kind: 'running' }) as AppState;

  it('are those whose last deploy failed, with the way to the deploy', () => {
    const apps = [app('shop'), app('blog', { deployment: { status: 'failed', at: now } })];
    const notices = appAttention(apps, running, [], now);
    expect(notices.map(({ title, about }) => [title, about])).toEqual([
      ['blog: Deploy failed', { app: 'blog-x1', serverKey: 'lantern', trouble: 'deploy' }],
    ]);
    expect(notices[0]?.detail).toBe('On lantern. The version before it goes on');
  });
});

describe('the databases that need attention', () => {
  const database = (name: string, over: object = {}) => ({
    id: name,
    name,
    longname: `${name}-x1`,
    serverId: 's',
    serverName: 'lantern',
    links: [],
    stopped: false,
    state: 'running' as const,
    backupProblem: null,
    status: 'online' as DatabaseStatus,
    ...over,
  });
  const link = { appLongname: 'shop', appId: null, appName: null, variable: null };
  const statusOf = ({ status }: { status: DatabaseStatus }) => status;

  it('are those that nobody stopped and that do not run, then paused ones that apps are linked to', () => {
    const notices = databaseAttention(
      [
        database('well'),
        database('resting', { status: 'paused' }),
        database('missed', { status: 'paused', links: [link] }),
        database('lost', { status: 'missing', links: [link, link] }),
        database('unheard', { status: 'server-offline' }),
      ],
      statusOf,
    );
    expect(notices.map(({ title, detail, band }) => [title, detail, band])).toEqual([
      ['lost: No container', 'Database on lantern, 2 apps are linked', 'danger'],
      ['missed: Paused', 'Database on lantern, 1 app is linked', 'warning'],
    ]);
    expect(notices[0]?.about).toEqual({ database: 'lost-x1', id: 'lost' });
  });

  it('stand after servers of the same urgency', () => {
    const servers = attention(
      [line('skerry', { load_percent: 93 }), line('mole', { disk_percent: 83 })],
      now,
    );
    const databases = databaseAttention([database('lost', { status: 'crashed' })], statusOf);
    expect(inOrder(servers, databases).map(({ title }) => title.split(/[ :]/)[0])).toEqual([
      'skerry',
      'lost',
      'mole',
    ]);
  });

  it('names those whose scheduled backup failed or did not come', () => {
    const at = 1_700_000_000_000;
    const notices = databaseAttention(
      [
        database('orders', { backupProblem: { kind: 'failed', at } }),
        database('cache', { backupProblem: { kind: 'missed', at } }),
        database('fine'),
      ],
      ({ status }) => status,
    );
    expect(notices.map(({ title, band }) => [title, band])).toEqual([
      ['orders: backup failed', 'danger'],
      ['cache: backup did not come', 'danger'],
    ]);
  });
});

describe('the proxies that need attention', () => {
  const standing = {
    state: 'serving' as const,
    ...{
      pointing: true,
      pointingBy: 'cname' as const,
      ownedBy: 'txt' as const,
      lookedAt: 1,
      reason: null,
      servedUntil: null,
      certificate: null,
    },
    wanted: [],
  };
  const proxy = (name: string, over: object) => ({
    ...{ id: name, name, domain: `${name}.example` },
    standing: { ...standing, ...over },
  });
  const day = 86_400_000;

  it('are those behind which something fails, and those whose certificate was not renewed', () => {
    const notices = proxyAttention(
      [
        proxy('well', { certificate: { validFrom: now - 60 * day, validTo: now + 30 * day } }),
        proxy('waiting', { state: 'waiting' }),
        proxy('late', { certificate: { validFrom: now - 84 * day, validTo: now + 6 * day } }),
        proxy('broken', { state: 'failing', reason: 'The website of /blog fails.' }),
      ],
      now,
    );
    expect(inOrder(notices).map(({ about, band, title, detail }) => [about, band, title, detail])).toEqual([
      [{ proxy: 'broken' }, 'danger', 'broken: Failing', 'The website of /blog fails.'],
      [{ proxy: 'late' }, 'warning', 'late: certificate ends soon', 'Within 7 days, and it was not renewed'],
    ]);
  });
});
