import { notificationRules } from '@homeport/contract/notifications/kinds';
import { expect, it } from 'vitest';
import { groupNews as decide, type Undecided } from './group-news.ts';

const { groupMs } = notificationRules;
const piece = (id: string, at: number, changes: Partial<Undecided> = {}): Undecided => ({
  ...{ id, at, kind: 'app.down', serverId: 'lantern', thread: id, beganAlone: false, ...changes },
});

const groupNews = (news: readonly Undecided[], now: number) => decide(news, now).ready.map(({ ids }) => ids);

it('news of one server gathers for a while and leaves as one', () => {
  const news = [
    piece('silent', 0, { kind: 'server.offline' }),
    piece('shop', 10_000),
    piece('blog', groupMs),
  ];
  expect(groupNews(news, groupMs - 1)).toEqual([]);
  expect(groupNews(news, groupMs)).toEqual([['silent', 'shop', 'blog']]);
});

it('what comes later is the next group, which gathers for as long', () => {
  const news = [piece('shop', 0), piece('blog', groupMs + 1)];
  expect(groupNews(news, groupMs + 1)).toEqual([['shop']]);
  expect(groupNews(news, 2 * groupMs + 1)).toEqual([['shop'], ['blog']]);
});

it('servers are apart, and other kinds leave at once and alone', () => {
  const work = { kind: 'operation' };
  const news = [
    piece('first', 0, work),
    piece('second', 0, work),
    piece('shop', 0),
    piece('pier', 1, { serverId: 'pier' }),
  ];
  expect(groupNews(news, 2)).toEqual([['first'], ['second']]);
  expect(groupNews(news, groupMs + 1)).toEqual([['first'], ['second'], ['shop'], ['pier']]);
});

it('nothing overtakes what gathers', () => {
  const news = [piece('shop', 0), piece('work', 1_000, { kind: 'operation' }), piece('blog', 2_000)];
  expect(groupNews(news, 3_000)).toEqual([]);
  expect(groupNews(news, groupMs)).toEqual([['shop', 'blog'], ['work']]);
});

it('news of a clock that is ahead is not held until that clock’s time', () => {
  expect(groupNews([piece('shop', 10 * groupMs)], 0)).toEqual([['shop']]);
});

it('news of a clock that is far behind joins no later group', () => {
  const news = [piece('shop', 20 * groupMs), piece('blog', 0)];
  expect(groupNews(news, 30 * groupMs)).toEqual([['shop'], ['blog']]);
});

it('an end whose beginning stands alone leaves alone and at once', () => {
  const alone = { thread: 'shop', beganAlone: true };
  expect(groupNews([piece('up', 0, alone), piece('blog', 0)], 0)).toEqual([['up']]);
  expect(groupNews([piece('blog', 0), piece('up', 0, alone)], groupMs)).toEqual([['blog'], ['up']]);
});

it('an end joins its beginning, and no group that came after it', () => {
  const up = (at: number) => piece('up', at, { thread: 'shop' });
  expect(groupNews([piece('shop', 0), piece('blog', 0), up(groupMs)], groupMs)).toEqual([
    ['shop', 'blog', 'up'],
  ]);
  const later = 2 * groupMs;
  expect(groupNews([piece('shop', 0), piece('blog', later), up(later)], 2 * later)).toEqual([
    ['shop'],
    ['blog'],
    ['up'],
  ]);
});

it('with quiet hours, what followed of an incident is told with its beginning, however late it came', () => {
  const later = 2 * groupMs;
  const news = [
    piece('shop', 0),
    piece('disk', 1, { kind: 'server.disk' }),
    piece('blog', later),
    piece('up', later, { thread: 'shop' }),
    piece('eased', 2 * later, { kind: 'server.disk', thread: 'disk' }),
  ];
  const { ready } = decide(news, 3 * later, { isOneByIncident: true });
  expect(ready.map(({ ids }) => ids)).toEqual([['shop', 'up'], ['disk', 'eased'], ['blog']]);
});

it('says whether more has to wait, and what is of a server', () => {
  const news = [piece('work', 0, { kind: 'operation' }), piece('shop', 0)];
  expect(decide(news, 0)).toEqual({ ready: [{ ids: ['work'], isOfServer: false }], isHeld: true });
  expect(decide(news, groupMs)).toEqual({
    ready: [
      { ids: ['work'], isOfServer: false },
      { ids: ['shop'], isOfServer: true },
    ],
    isHeld: false,
  });
});
