import { operationStates, overStates } from '@homeport/contract/operations/facts';
import { operationKinds } from '@homeport/contract/operations/kinds';
import { expect, test } from 'vitest';
import { replacedContainers, replacedSome, tellsNews } from './last-operation.ts';

test('only work that succeeded has replaced containers, and all that is over is news', () => {
  const kind = 'app.restart';
  expect(operationStates.filter((state) => replacedContainers({ kind, state }))).toEqual(['succeeded']);
  const news = operationStates.filter((state) => tellsNews({ kind, state }));
  expect(news.toSorted()).toEqual(overStates.toSorted());
});

test('the server has news after every work but a destruction, a change of checks or of keys, and one-off commands', () => {
  const silent = operationKinds.filter((kind) => !tellsNews({ kind, state: 'succeeded' }));
  expect(silent).toEqual(['app.destroy', 'app.checks', 'app.push-keys', 'app.run', 'app.run-stop']);
});

test('the log begins anew after each work that replaces containers, and after no other', () => {
  expect(operationKinds.filter((kind) => replacedContainers({ kind, state: 'succeeded' }))).toEqual([
    'app.restart',
    'app.plan',
    'app.storage',
    'app.process-rules',
    'database.link',
    'database.unlink',
    'database.promote',
  ]);
});

test('the log is opened again after work that replaced some containers, however it ended', () => {
  const kinds = operationKinds.filter((kind) => replacedSome({ kind, state: 'failed' }));
  expect(kinds).toEqual(['app.scale', 'app.restart-process']);
  expect(replacedSome({ kind: 'app.scale', state: 'running' })).toBe(false);
});
