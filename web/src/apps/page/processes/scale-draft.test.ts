import { processesPerType } from '@homeport/contract/apps/processes/facts';
import { scaleSchema } from '@homeport/contract/apps/processes/schema';
import { expect, test } from 'vitest';
import { changesOf, costSentences, countIn } from './scale-draft.ts';

const type = (name: string, quantity: number) => ({
  type: name,
  quantity,
  command: null,
  memoryMb: null,
  cpus: null,
});

test('a field takes what the api takes, and nothing else', () => {
  for (const text of [
    '0',
    '1',
    ` ${processesPerType} `,
    `${processesPerType + 1}`,
    '-1',
    '1.5',
    '1e1',
    '',
    'x',
  ]) {
    const count = countIn(text);
    const asked = text.trim() === '' ? Number.NaN : Number(text);
    const taken = scaleSchema.safeParse({ processes: [{ type: 'web', from: 0, to: asked }] }).success;
    expect([text, count !== null]).toEqual([text, taken && text !== '1e1']);
  }
});

test('only numbers that differ are changes, and a field without a number is told apart', () => {
  const types = [type('web', 1), type('worker', 2), type('clock', 1)];
  const draft = new Map([
    ['web', '1'],
    ['worker', '3'],
    ['clock', ''],
  ]);
  expect(changesOf(types, draft)).toEqual({
    changes: [{ type: 'worker', from: 2, to: 3 }],
    wrong: new Set(['clock']),
  });
});

test('says how long it takes, how much memory it needs, and that the postdeploy task runs', () => {
  const changes = [{ type: 'web', from: 1, to: 2 }];
  expect(costSentences({ changes, memoryOf: () => 512, stopped: false })).toEqual([
    '2 processes start anew, one after the other: about 20 s.',
    'The old ones run on for a minute beside them: up to 1536 MB together.',
    'The postdeploy task of app.json runs again.',
  ]);
  expect(costSentences({ changes, memoryOf: () => null, stopped: false })).toContain(
    'The old ones run on for a minute beside them, which doubles the memory.',
  );
});

test('zero says what visitors will see', () => {
  const changes = [
    { type: 'web', from: 1, to: 0 },
    { type: 'worker', from: 1, to: 0 },
  ];
  expect(costSentences({ changes, memoryOf: () => 512, stopped: false })).toEqual([
    'Without a web process, visitors get an error (502) in place of the app.',
    'Nothing of worker will run.',
    'The postdeploy task of app.json runs again.',
  ]);
});

test('of a stopped app nothing starts', () => {
  const changes = [{ type: 'worker', from: 1, to: 4 }];
  expect(costSentences({ changes, memoryOf: () => 512, stopped: true })).toEqual([
    'The app is stopped: nothing starts now.',
  ]);
});
