import { operationKinds, operationStates, overStates } from '@homeport/contract/operations/facts';
import { expect, test } from 'vitest';
import { replacedContainers, tellsNews } from './last-operation.ts';

test('only work that is over counts, however it ended', () => {
  const counting = operationStates.filter((state) => replacedContainers({ kind: 'app.restart', state }));
  expect(counting.toSorted()).toEqual(overStates.toSorted());
});

test('the server has news after every work but a destruction', () => {
  const silent = operationKinds.filter((kind) => !tellsNews({ kind, state: 'succeeded' }));
  expect(silent).toEqual(['app.destroy']);
});

test('the log begins anew after each work that replaces containers, and after no other', () => {
  expect(operationKinds.filter((kind) => replacedContainers({ kind, state: 'succeeded' }))).toEqual([
    'app.create',
    'app.restart',
    'app.rebuild',
    'app.plan',
    'app.storage',
    'app.deploy-commit',
    'database.link',
    'database.unlink',
    'database.promote',
  ]);
});
