import { randomUUID } from 'node:crypto';
import { eventSubjectCharacters } from '@homeport/contract/account/facts';
import type { SecurityEvent } from '@homeport/contract/account/schema';
import { ownerFromSession } from '@homeport/store';
import { expect, test } from 'vitest';
import { bodyOf, startTestApi } from '../http/testing.ts';
import { noteTerminal } from './terminal-event.ts';

test('an event of a terminal at a place with a long name says its time and its bytes all the same', async () => {
  await using api = await startTestApi();
  const ines = await api.signUp('ines');
  const complete = await noteTerminal(api.store.db, {
    ...{
      owner: ownerFromSession(ines.userId),
      sessionId: randomUUID(),
      where: 'w'.repeat(eventSubjectCharacters),
    },
  });
  await complete({ seconds: 125, typedBytes: 12, shownBytes: 5_200_000 });
  const [event] = bodyOf<SecurityEvent[]>(await ines.call('GET /api/security-events'), 200).filter(
    ({ kind }) => kind === 'terminal_opened',
  );
  expect(event?.subject).toHaveLength(eventSubjectCharacters);
  expect(event?.subject).toMatch(/^w+: 2 min, 12 B typed, 5\.2 MB shown$/);
});
