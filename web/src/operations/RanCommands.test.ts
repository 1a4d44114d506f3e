import { createElement } from 'react';
import { expect, test } from 'vitest';
import { apiQuery } from '../data/api-query.ts';
import { shownAfterFailure } from '../data/failed-again-fixture.ts';
import { CommandList } from './RanCommands.tsx';

test.each([
  { list: [], says: 'No command has run yet.' },
  {
    list: [{ command: 'dokku apps:list', account: 'dokku', exitCode: 0, durationMs: 5 }],
    says: 'dokku apps:list',
  },
])('a list of $list.length commands that cannot be read again stays, and says how old it is', (read) => {
  const { queryKey } = apiQuery('GET /api/operations/:id/commands', { params: { id: 'o' } });
  const shown = shownAfterFailure([[queryKey, read.list]], createElement(CommandList, { operationId: 'o' }));
  expect(shown).toContain(read.says);
  expect(shown).toContain('The commands could not be loaded again.');
});
