import { operationKinds, operationStates, overStates } from '@homeport/contract/operations/facts';
import { expect, test } from 'vitest';
import { replacedContainers, tellsNews } from './last-operation.ts';

test('only work that succeeded has replaced containers, and all that is over is news', () => {
  const kind = 'app.restart';
  expect(operationStates.filter((state) => replacedContainers({ kind, state }))).toEqual(['succeeded']);
  const news = operationStates.filter((state) => tellsNews({ kind, state }));
  expect(news.toSorted()).toEqual(overStates.toSorted());
});

test('the server has news after every work but a destruction', () => {
  const silent = operationKinds.filter((kind) => !tellsNews({ kind, state: 'succeeded' }));
  expect(silent).toEqual(['app.destroy']);
});

test('the log begins anew after each work that replaces containers, and after no other', () => {
  expect(operationKinds.filter((kind) => replacedContainers({ kind, state: 'succeeded' }))).toEqual([
    'app.restart',
    'app.plan',
    'app.storage',
    'database.link',
    'database.unlink',
    'database.promote',
  ]);
});
