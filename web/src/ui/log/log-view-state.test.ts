import { describe, expect, it } from 'vitest';
import {
  currentHit,
  firstLook,
  freshLines,
  hitBeside,
  type LogViewEvent,
  reduceLogView,
} from './log-view-state.ts';

const after = (...events: readonly LogViewEvent[]) => events.reduce(reduceLogView, firstLook);

describe('the look at a log', () => {
  it('follows and wraps at first', () => {
    expect(firstLook).toMatchObject({ follow: true, wrap: true, withTimes: false, words: '' });
  });

  it('counts the lines that came since following ended', () => {
    const scrolled = after({ kind: 'followed', on: false, last: 40 });
    expect(freshLines(scrolled, 40)).toBe(0);
    expect(freshLines(scrolled, 52)).toBe(12);
    expect(freshLines(reduceLogView(scrolled, { kind: 'followed', on: true, last: 52 }), 60)).toBe(0);
  });

  it('counts from the first scroll up, however often somebody scrolls', () => {
    const once = after({ kind: 'followed', on: false, last: 40 });
    const twice = reduceLogView(once, { kind: 'followed', on: false, last: 50 });
    expect(twice).toBe(once);
    expect(freshLines(twice, 52)).toBe(12);
  });

  it('ends following for a search and for a step to a hit', () => {
    const searched = after({ kind: 'searched', words: 'err', last: 7 });
    expect(searched).toMatchObject({ words: 'err', follow: false, seenNumber: 7, chosen: null });
    const stepped = after({ kind: 'stepped', to: 3, last: 9 });
    expect(stepped).toMatchObject({ chosen: 3, follow: false, seenNumber: 9 });
  });

  it('begins at the first hit again for other words', () => {
    const state = after({ kind: 'stepped', to: 3, last: 9 }, { kind: 'searched', words: 'x', last: 9 });
    expect(state.chosen).toBeNull();
  });

  it('wraps and shows times as pressed', () => {
    expect(after({ kind: 'wrap pressed' })).toMatchObject({ wrap: false, follow: true });
    expect(after({ kind: 'wrap pressed' }, { kind: 'wrap pressed' }).wrap).toBe(true);
    expect(after({ kind: 'times pressed' }).withTimes).toBe(true);
  });
});

describe('the hits of a search', () => {
  const hits = [4, 9, 30];

  it('begin with the first one', () => expect(currentHit(hits, null)).toBe(0));

  it('stay at the chosen one, or at the next where its line was dropped', () => {
    expect(currentHit(hits, 9)).toBe(1);
    expect(currentHit(hits, 10)).toBe(2);
    expect(currentHit(hits, 99)).toBe(2);
  });

  it('go round at both ends', () => {
    expect(hitBeside(hits, 2, 1)).toBe(4);
    expect(hitBeside(hits, 0, -1)).toBe(30);
    expect(hitBeside([], 0, 1)).toBeNull();
  });
});
