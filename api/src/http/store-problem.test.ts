import { testDatabase } from '@homeport/store/testing';
import { expect, test } from 'vitest';
import { storeProblem } from './store-problem.ts';

test('answers 503, not 500, when a newer program changed a table', async () => {
  const { store, close } = await testDatabase();
  try {
    for (const statement of ['select gone from auth."user"', 'select * from gone', 'select gone()']) {
      const error: unknown = await store.pool.query(statement).catch((reason: unknown) => reason);
      expect(storeProblem(error)).toMatchObject({ code: 'unavailable', status: 503 });
    }
    const wrong: unknown = await store.pool.query('select 1 / 0').catch((reason: unknown) => reason);
    expect(storeProblem(wrong)).toBe(null);
  } finally {
    await close();
  }
});
