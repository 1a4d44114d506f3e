import { notificationRules } from '@homeport/contract/notifications/kinds';
import { expect, it } from 'vitest';
import { groupNews, type Undecided } from './group-news.ts';

const { groupMs } = notificationRules;
const piece = (id: string, at: number, changes: Partial<Undecided> = {}): Undecided => ({
  ...{ id, at, kind: 'app.down', serverId: 'lantern', ...changes },
});

it('news of one server gathers for half a minute and leaves as one', () => {
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
