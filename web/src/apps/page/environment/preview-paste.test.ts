import { environmentKeyCharacters, environmentValueCharacters } from '@homeport/contract/apps/environment';
import { expect, it } from 'vitest';
import { previewPaste } from './preview-paste.ts';
import type { Variable } from './staged-changes.ts';

const variables: Variable[] = [
  { key: 'MODE', value: 'production', state: 'kept', managed: false },
  { key: 'OLD', value: 'x', state: 'removed', managed: false },
  { key: 'PORT', value: '5000', state: 'kept', managed: true },
];

it('shows the change of each key', () => {
  const { rows } = previewPaste('MODE=production\nOLD=y\nPORT=80\nNEW=1\n', variables);
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['MODE', 'kept'],
    ['OLD', 'added'],
    ['PORT', 'refused'],
    ['NEW', 'added'],
  ]);
});

it('removes an existing key that the file leaves empty', () => {
  const { rows } = previewPaste('MODE=\nGONE=\n', variables);
  expect(rows.map(({ state }) => state)).toEqual(['removed', 'kept']);
});

it('warns of a number that Dokku rewrites', () => {
  expect(previewPaste('ZIP=01234', []).rows[0]?.note).toContain('1234');
});

it('refuses a key and a value that the console would refuse, and says why', () => {
  const longest = 'K'.repeat(environmentKeyCharacters);
  const { rows } = previewPaste(
    [
      `${longest}=1`,
      `${longest}K=1`,
      `MOST=${'v'.repeat(environmentValueCharacters)}`,
      `MORE=${'v'.repeat(environmentValueCharacters + 1)}`,
    ].join('\n'),
    [],
  );
  expect(rows.map(({ state, note }) => [state, note])).toEqual([
    ['added', null],
    ['refused', 'A key has at most 128 characters.'],
    ['added', null],
    ['refused', 'A value has at most 32 kB.'],
  ]);
});
