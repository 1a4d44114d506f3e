import { expect, test } from 'vitest';
import { composeNews } from './chat/compose-news.ts';
import { headOfGroup } from './head-of-group.ts';
import { weighNews } from './weigh-news.ts';

const at = Date.UTC(2026, 10, 22, 10, 13);
const server = { serverName: 'lantern', serverKey: 'kx7' };
const app = { appName: 'shop', longname: 'shop-abc', ...server, since: at };
const about = { thread: 'of lantern', at };
const silent = weighNews({ event: 'server.went-silent', ...server, since: at }, about);
const back = weighNews({ event: 'server.came-back', ...server, since: at, until: at }, about);
const down = weighNews(
  { event: 'app.went-down', ...app, url: 'https://shop.example.com/', reason: '' },
  about,
);
const up = weighNews({ event: 'app.came-up', ...app, until: at }, about);
const work = weighNews({ event: 'deploy.failed', ...app, at }, about);

const of = (incident: string, piece: typeof down) => ({ ...piece, incident });
const both = (incident: string) => [of(incident, down), of(incident, up)];

test.each([
  [[of('a', down), of('b', down)], 'firing', '2 apps on lantern are down'],
  [[silent, of('a', down)], 'firing', 'lantern is offline, and 1 app on it is down'],
  [[of('a', down), silent, of('b', down)], 'firing', 'lantern is offline, and 2 apps on it are down'],
  [[of('a', up), of('b', up), of('c', up)], 'resolved', '3 apps on lantern are up again'],
  [[back, of('a', up), of('b', up)], 'resolved', 'lantern is online again, and 2 apps on it are up'],
  [both('a'), 'resolved', 'shop was down and is up again'],
  [[...both('a'), ...both('b')], 'resolved', '2 apps on lantern were down and are up again'],
  [[silent, back], 'resolved', 'lantern was offline and is online again'],
  [[...both('a'), of('b', up)], 'resolved', '2 apps on lantern are up again'],
  [[...both('a'), of('b', down)], 'firing', '1 app on lantern is down; 1 app on lantern is up again'],
] as const)('%#: says of a server and its apps what they say together', (news, state, heading) => {
  expect(headOfGroup(news)).toEqual({ state, heading });
});

test('news of one incident of another kind says what it is about, and how long it lasted', () => {
  const disk = { ...server, percent: 92 };
  const filled = weighNews({ event: 'disk.filled', ...disk, since: at }, about);
  const over = { ...about, at: at + 200 * 60_000 };
  const eased = weighNews({ event: 'disk.eased', ...disk, until: at }, over);
  expect(headOfGroup([filled, eased])).toEqual({
    state: 'resolved',
    heading: 'Disk of lantern, over after 3 h 20 min',
  });
  const domain = { proxyName: 'shop', proxyId: 'p', domain: 'shop.example.com' };
  const astray = weighNews(
    { event: 'domain.astray', ...domain, since: at, missing: 'pointing', servedUntil: at },
    about,
  );
  const unserved = weighNews({ event: 'domain.unserved', ...domain, at }, about);
  expect(headOfGroup([astray, unserved])).toEqual({ state: 'firing', heading: 'Domain shop.example.com' });
  const back = weighNews({ event: 'domain.back', ...domain, since: at - 72 * 3_600_000, until: at }, about);
  expect(headOfGroup([unserved, back])?.heading).toBe('Domain shop.example.com, over after 3 days');
  const backup = { databaseName: 'orders', longname: 'orders', ...server, at };
  const [failed, works] = (['backup.failed', 'backup.works-again'] as const).map((event) =>
    weighNews({ event, ...backup }, about),
  );
  expect(failed && works && headOfGroup([failed, works])?.heading).toBe('Backups of orders, over');
  expect(headOfGroup([filled, of('another', eased)])).toBeNull();
});

test('only a group with something open sounds the alarm', () => {
  const urgency = (news: readonly [typeof down, ...(typeof down)[]]) => composeNews('', news).urgency;
  expect(urgency([of('a', down), of('a', up)])).toBe('quiet');
  expect(urgency([of('a', down), of('a', up), of('b', down)])).toBe('urgent');
});

test('news of one thing, of two servers, of other kinds and of a server that went silent twice has no such heading', () => {
  const elsewhere = { ...down, server: { key: 'other', name: 'lantern', app: 'shop' } };
  for (const news of [[down], [down, elsewhere], [down, work], [silent, { ...silent, incident: 'another' }]])
    expect(headOfGroup(news)).toBeNull();
});
