import { afterEach, expect, it, vi } from 'vitest';
import { askEarly, takeEarly } from './early-answers.ts';

afterEach(() => vi.unstubAllGlobals());

it('gives an early answer once', async () => {
  vi.stubGlobal('fetch', async (url: string) => new Response(`of ${url}`));
  askEarly(['/api/servers', '/api/apps']);
  const answer = await takeEarly('/api/servers');
  expect(await answer?.text()).toBe('of /api/servers');
  expect(takeEarly('/api/servers')).toBeUndefined();
});

it('keeps no answer for later: it would show the past', () => {
  vi.stubGlobal('fetch', async () => new Response());
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  askEarly(['/api/keys']);
  clock.mockReturnValue(10_000);
  expect(takeEarly('/api/keys')).toBeUndefined();
  clock.mockRestore();
});

it('leaves a failure to whoever asks then', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('refused');
  });
  askEarly(['/api/servers']);
  await expect.poll(() => takeEarly('/api/servers')).toBeUndefined();
});
