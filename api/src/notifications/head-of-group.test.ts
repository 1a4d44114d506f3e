import { expect, test } from 'vitest';
import { headOfGroup } from './head-of-group.ts';
import { weighNews } from './weigh-news.ts';

const at = Date.UTC(2026, 10, 22, 10, 13);
const server = { serverName: 'lantern', serverKey: 'kx7' };
const app = { appName: 'shop', longname: 'shop-abc', ...server, since: at };
const about = { thread: 'incident', at };
const silent = weighNews({ event: 'server.went-silent', ...server, since: at }, about);
const back = weighNews({ event: 'server.came-back', ...server, since: at, until: at }, about);
const down = weighNews(
  { event: 'app.went-down', ...app, url: 'https://shop.example.com/', reason: '' },
  about,
);
const up = weighNews({ event: 'app.came-up', ...app, until: at }, about);
const work = weighNews({ event: 'deploy.failed', ...app, at }, about);

test.each([
  [[down, down], 'firing', '2 apps on lantern are down'],
  [[silent, down], 'firing', 'lantern is offline, and 1 app on it is down'],
  [[down, silent, down], 'firing', 'lantern is offline, and 2 apps on it are down'],
  [[up, up, up], 'resolved', '3 apps on lantern are up again'],
  [[back, up, up], 'resolved', 'lantern is online again, and 2 apps on it are up'],
  [[down, up], 'none', '2 pieces of news of lantern'],
] as const)('%#: says of a server and its apps what they say together', (news, state, heading) => {
  expect(headOfGroup(news)).toEqual({ state, heading });
});

test('news of one thing, of two servers, of other kinds and of a server that went silent twice has no such heading', () => {
  const elsewhere = { ...down, server: { key: 'other', name: 'lantern' } };
  for (const news of [[down], [down, elsewhere], [down, work], [silent, silent]])
    expect(headOfGroup(news)).toBeNull();
});
