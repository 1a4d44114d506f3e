import { expect, test } from 'vitest';
import { processTypesOf } from './process-types.ts';

const line = { processesOf: 'ledger', scale: [], procfile: null, limits: [] };
const unset = () => '';

test('types are those of the Procfile and those with a number, web first', () => {
  const told = processTypesOf(
    {
      ...line,
      scale: ['worker=2', 'web=1', 'gone=0', 'no number', '$(id)=1'],
      procfile: ['# comment', 'worker: node worker.js --queue a:b', 'web:npm start', '', 'clock: ', ': x'],
      limits: [
        'worker.limit.memory=256',
        'worker.limit.cpu=0.5',
        'web.limit.memory=lots',
        'web.reserve.memory=1',
      ],
    },
    unset,
  );
  expect(told.types).toEqual([
    { type: 'web', command: 'npm start', quantity: 1, memoryMb: null, cpus: null },
    { type: 'worker', command: 'node worker.js --queue a:b', quantity: 2, memoryMb: 256, cpus: 0.5 },
    { type: 'gone', command: null, quantity: 0, memoryMb: null, cpus: null },
  ]);
});

test('what is not set has Dokku’s own default', () => {
  expect(processTypesOf(line, unset)).toEqual({
    types: [],
    scalable: true,
    restartPolicy: 'on-failure:10',
    stopSeconds: 30,
  });
  const set: Record<string, string> = {
    'ps.can-scale': 'false',
    'ps.restart-policy': 'always',
    'ps.stop-timeout-seconds': '60',
  };
  expect(processTypesOf(line, (key) => set[key] ?? '')).toMatchObject({
    scalable: false,
    restartPolicy: 'always',
    stopSeconds: 60,
  });
});
