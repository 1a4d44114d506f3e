import { createElement } from 'react';
import { expect, test } from 'vitest';
import { apiQuery } from '../../../data/api-query.ts';
import { shownAfterFailure } from '../../../data/failed-again-fixture.ts';
import { RepositoryPicker } from './RepositoryPicker.tsx';

test('the repositories and the filter stay when the list cannot be read again', () => {
  const repository = {
    ...{ id: 1, fullName: 'ines/ledger', private: false, archived: false },
    ...{ description: null, language: null, defaultBranch: 'main', pushedAt: null },
  };
  const list = { repositories: [repository], readAt: 1, more: false, accessUrl: null };
  const shown = shownAfterFailure(
    [[apiQuery('GET /api/github/repositories').queryKey, list]],
    createElement(RepositoryPicker, { chosen: '', onChoose: () => undefined }),
  );
  expect(shown).toContain('ines/ledger');
  expect(shown).toContain('<input');
  expect(shown).toContain('Your repositories could not be loaded again.');
});
