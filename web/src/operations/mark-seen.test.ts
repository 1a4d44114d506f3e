import { afterEach, expect, it, vi } from 'vitest';
import { markSeen } from './mark-seen.ts';

afterEach(() => vi.unstubAllGlobals());

/** The addresses that are called while the tab is visible, or is not. */
function watchCalls(visibilityState: DocumentVisibilityState, { ok = true } = {}) {
  const called: string[] = [];
  vi.stubGlobal('document', { visibilityState });
  vi.stubGlobal('fetch', (url: string) => {
    called.push(url);
    return Promise.resolve(Response.json({ seen: true }, { status: ok ? 200 : 500 }));
  });
  return called;
}

it('says once of each failure that somebody saw it', () => {
  const called = watchCalls('visible');
  markSeen({ id: 'one', state: 'failed', endedAt: 1 });
  markSeen({ id: 'one', state: 'failed', endedAt: 1 });
  expect(called).toEqual(['/api/operations/one/seen']);
  markSeen({ id: 'one', state: 'failed', endedAt: 2 });
  expect(called).toHaveLength(2);
});

it('says nothing of work that did not fail', () => {
  const called = watchCalls('visible');
  for (const state of ['running', 'succeeded', 'cancelled', 'interrupted'] as const)
    markSeen({ id: 'well', state, endedAt: 1 });
  expect(called).toEqual([]);
});

it('a tab in the background is nobody, until somebody looks', () => {
  const hidden = watchCalls('hidden');
  markSeen({ id: 'two', state: 'failed', endedAt: 1 });
  expect(hidden).toEqual([]);
  const visible = watchCalls('visible');
  markSeen({ id: 'two', state: 'failed', endedAt: 1 });
  expect(visible).toHaveLength(1);
});

it('says it again where the console did not hear it', async () => {
  const called = watchCalls('visible', { ok: false });
  markSeen({ id: 'three', state: 'failed', endedAt: 1 });
  await vi.waitFor(
    () => {
      markSeen({ id: 'three', state: 'failed', endedAt: 1 });
      expect(called.length).toBeGreaterThan(1);
    },
    { timeout: 10_000 },
  );
});
