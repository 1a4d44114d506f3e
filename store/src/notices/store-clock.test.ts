import { expect, test, vi } from 'vitest';
import { testDatabase } from '../testing.ts';
import { clockAhead } from './store-clock.ts';

test('clocks that agree have no difference, and a wrong clock of this machine has its own', async () => {
  const database = await testDatabase();
  try {
    const { pool } = database.store;
    expect(await clockAhead(pool)).toBe(0);
    const right = Date.now;
    for (const wrongBy of [-120_000, 120_000]) {
      vi.spyOn(Date, 'now').mockImplementation(() => right() + wrongBy);
      expect(Math.round((await clockAhead(pool)) / 60_000)).toBe(-wrongBy / 60_000);
      vi.restoreAllMocks();
    }
  } finally {
    vi.restoreAllMocks();
    await database.close();
  }
});
