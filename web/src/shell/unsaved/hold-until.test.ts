import type { RouterHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { holdUntil, type Leaving } from './hold-until.ts';

type Blocker = Parameters<RouterHistory['block']>[0];

/** A history that asks as the router's does: those that are there when the person leaves. */
function makeHistory() {
  let blockers: Blocker[] = [];
  const history: Leaving = {
    block(blocker) {
      blockers = [...blockers, blocker];
      return () => {
        blockers = blockers.filter((each) => each !== blocker);
      };
    },
    _getBlockers: () => blockers,
  };
  const leave = async (from: string, to: string): Promise<'left' | 'stayed'> => {
    const way = { currentLocation: at(from), nextLocation: at(to), action: 'PUSH' as const };
    for (const { blockerFn } of blockers) if (await blockerFn(way)) return 'stayed';
    return 'left';
  };
  const asksOfTab = () =>
    blockers.some(({ enableBeforeUnload: asks = true }) => (asks instanceof Function ? asks() : asks));
  return { history, leave, asksOfTab };
}

const at = (pathname: string) => ({
  ...{ pathname, href: pathname, search: '', hash: '' },
  state: { __TSR_index: 0 },
});

function arrival() {
  let arrive = () => {};
  const promise = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { promise, arrive: () => arrive() };
}

const guard = (blocks: boolean): Blocker => ({ blockerFn: () => blocks, enableBeforeUnload: false });

test.each([
  [true, 'stayed'],
  [false, 'left'],
] as const)('whoever leaves before the guard waits for its answer (%s)', async (blocks, end) => {
  const { history, leave } = makeHistory();
  const guardIsThere = arrival();
  holdUntil(guardIsThere.promise, history, () => true);
  let ended: string | null = null;
  const left = leave('/proxies/new', '/databases').then((how) => {
    ended = how;
  });
  await new Promise(setImmediate);
  expect(ended).toBeNull();
  history.block(guard(blocks));
  guardIsThere.arrive();
  await left;
  expect(ended).toBe(end);
});

test('asks nobody twice who was there when the person left', async () => {
  const { history, leave } = makeHistory();
  const guardIsThere = arrival();
  let asked = 0;
  const other: Blocker = {
    blockerFn: () => {
      asked += 1;
      return false;
    },
  };
  history.block(other);
  holdUntil(guardIsThere.promise, history, () => true);
  const left = leave('/proxies/new', '/databases');
  guardIsThere.arrive();
  expect(await left).toBe('left');
  expect(asked).toBe(1);
});

test('sections of the page are reached without the guard', async () => {
  const { history, leave } = makeHistory();
  holdUntil(new Promise(() => {}), history, () => true);
  expect(await leave('/profile', '/profile')).toBe('left');
});

test('the browser asks before the tab goes, while something is typed and until the guard is there', () => {
  const { history, asksOfTab } = makeHistory();
  let typed = true;
  const stop = holdUntil(new Promise(() => {}), history, () => typed);
  expect(asksOfTab()).toBe(true);
  typed = false;
  expect(asksOfTab()).toBe(false);
  typed = true;
  stop();
  expect(asksOfTab()).toBe(false);
});
