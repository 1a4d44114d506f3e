import { expect, test } from 'vitest';
import { describeAbility } from './check-credential.ts';

test('a zone whose records are not editable is named as people write it', () => {
  const zones = [
    { id: '1', name: 'northquay.example' },
    { id: '2', name: 'xn--mller-kva.example' },
  ];
  const editable = new Map([
    ['1', true],
    ['2', false],
  ]);
  expect(describeAbility(zones, false, editable)).toBe(
    '2 zones readable, records editable in all but müller.example.',
  );
});
