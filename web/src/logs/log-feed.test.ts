import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogFeed } from './log-feed.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const lines = (...texts: string[]): AppLogEvent => ({
  type: 'lines',
  lines: texts.map((text) => ({ at: 1, process: 'web.1', text })),
});
const open = (route: Parameters<typeof createLogFeed>[0] = 'GET /api/apps/:id/logs') => {
  const feed = createLogFeed(route);
  const texts = () => {
    vi.advanceTimersByTime(1_000);
    return feed.log().lines.map(({ text }) => text);
  };
  return { feed, texts };
};

describe('the log of an app', () => {
  it('shows the first lines at once and those of the next moment together', () => {
    const { feed, texts } = open();
    let drawn = 0;
    feed.subscribe(() => {
      drawn += 1;
    });
    feed.tell(lines('1'), 'a');
    for (const text of ['2', '3', '4']) feed.tell(lines(text), 'b');
    expect(feed.log().lines).toHaveLength(1);
    expect(texts()).toEqual(['web.1  1', 'web.1  2', 'web.1  3', 'web.1  4']);
    expect(drawn).toBe(2);
  });
  it('knows the last event, after which it resumes', () => {
    const { feed } = open();
    expect(feed.lastEventId()).toBeNull();
    feed.tell(lines('1'), 'open:1');
    feed.tell({ type: 'missing', process: 'web.1' }, '');
    expect(feed.lastEventId()).toBe('open:1');
    feed.reset();
    expect(feed.lastEventId()).toBeNull();
    expect(feed.log().lines).toEqual([]);
  });
  it('reads new containers from their first line on, below the lines of the ones before', () => {
    const { feed, texts } = open();
    feed.renew();
    feed.tell(lines('1'), 'open:1');
    feed.renew();
    expect(feed.lastEventId()).toBeNull();
    feed.tell(lines('2'), 'open:2');
    expect(texts()).toEqual(['web.1  1', 'New containers from here', 'web.1  2']);
  });
  it('marks where lines may be missing, and where a new container begins', () => {
    const { feed, texts } = open();
    feed.tell({ type: 'missing', process: 'web.1' }, '');
    feed.tell({ type: 'missing', process: null }, '');
    feed.tell({ type: 'anew', process: 'web.1' }, '');
    expect(texts()).toEqual([
      'Lines of web.1 may be missing here',
      'Lines may be missing here',
      'web.1 runs in a new container from here',
    ]);
    expect(feed.log().lines.every(({ kind }) => kind === 'rule')).toBe(true);
  });
  it('notes an interruption once, when lines come again', () => {
    const { feed, texts } = open();
    feed.tellLink({ kind: 'live' });
    feed.tell(lines('1'), '');
    feed.tellLink({ kind: 'paused', reason: 'The connection to the server was lost.' });
    feed.tellLink({ kind: 'live' });
    feed.tellLink({ kind: 'paused', reason: 'The stream was interrupted.' });
    expect(texts()).toEqual(['web.1  1']);
    feed.tellLink({ kind: 'live' });
    feed.tell(lines('2'), '');
    expect(texts()).toEqual([
      'web.1  1',
      expect.stringMatching(/The connection to the server was lost\. Back .+\.$/),
      'web.1  2',
    ]);
  });
  it('is unanswered until the server sends a line or says that there is none', () => {
    const silent = open().feed;
    silent.tellLink({ kind: 'live' });
    expect(silent.answered()).toBe(false);
    silent.tell({ type: 'empty' }, '');
    expect(silent.answered()).toBe(true);
    silent.reset();
    expect(silent.answered()).toBe(false);
    silent.tell(lines('1'), '');
    expect(silent.answered()).toBe(true);
  });
  it('knows that the console reads the log again from time to time, until the stream ends', () => {
    const { feed } = open();
    feed.tellLink({ kind: 'live' });
    feed.tell({ type: 'polled', everyMs: 10_000 }, '');
    expect(feed.everyMs()).toBe(10_000);
    feed.tellLink({ kind: 'opening' });
    expect(feed.everyMs()).toBeNull();
  });
  it('adds no note when the stream was only opened again', () => {
    const { feed, texts } = open();
    feed.tellLink({ kind: 'live' });
    feed.tellLink({ kind: 'paused', reason: null });
    feed.tellLink({ kind: 'live' });
    feed.tell(lines('1'), '');
    expect(texts()).toEqual(['web.1  1']);
  });
});

it.each(['GET /api/apps/:id/deploy-log', 'GET /api/databases/:id/logs'] as const)(
  'begins the log of %s anew where the server does',
  (route) => {
    const { feed, texts } = open(route);
    feed.tell(lines('first'), '');
    feed.tell({ type: 'anew', process: '' }, '');
    feed.tell(lines('second'), '');
    expect(texts()).toEqual(['web.1  second']);
  },
);

it('is unanswered about a new deploy until the server tells of it', () => {
  const { feed } = open('GET /api/apps/:id/deploy-log');
  feed.tell({ type: 'empty' }, '');
  feed.tell({ type: 'anew', process: '' }, '');
  expect(feed.answered()).toBe(false);
});
