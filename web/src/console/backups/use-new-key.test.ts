import { MutationObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { createQueryClient } from '../../data/query-client.ts';
import { newKey } from './use-new-key.ts';

it('keeps the pair that the person saves, however long the dialog is open and whatever the page reads again', async () => {
  const client = createQueryClient();
  client.mount();
  const key = new MutationObserver(client, newKey);
  const stop = key.subscribe(() => undefined);
  try {
    const made = await key.mutate();
    vi.useFakeTimers();
    await vi.advanceTimersByTimeAsync(61_000);
    await client.invalidateQueries();
    await client.resumePausedMutations();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(key.getCurrentResult().data).toEqual(made);
  } finally {
    vi.useRealTimers();
    stop();
    client.unmount();
  }
});
