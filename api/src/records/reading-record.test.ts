import { ownerFromSession } from '@homeport/store';
import { expect, it } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { plantApp, plantServer } from '../testing/plant.ts';
import { keepReadings, readKnown } from './reading-record.ts';

it('keeps no part that is larger than any answer of a server, and keeps the others', async () => {
  await using api = await startTestApi({ signUps: 'open' });
  const { userId } = await api.signUp('ada');
  const owner = ownerFromSession(userId);
  const { db } = api.store;
  const { id } = await plantApp(db, userId, (await plantServer(db, userId)).id);
  await keepReadings(db, owner, id, {
    storage: [],
    readme: { kind: 'text', text: 'x'.repeat(1_100_000), account: 'dokku' },
  });
  const { rows } = await api.store.pool.query('select part, length(told) as characters from readings');
  expect(rows).toEqual([{ part: 'storage', characters: 2 }]);
  expect((await readKnown({ owner, db } as Parameters<typeof readKnown>[0], id)).storage?.told).toEqual([]);
});
