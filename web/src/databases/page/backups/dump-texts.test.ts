import type { RestoreTest } from '@homeport/contract/databases/schema';
import { expect, test } from 'vitest';
import { failedTestText, lastTests, uploadRefusal } from './dump-texts.ts';

test('a file is refused before it is sent when it is empty or the server has no room for it', () => {
  expect(uploadRefusal(0, 10)).toBe('The file is empty.');
  expect(uploadRefusal(2_000_000_000, 1_000_000_000)).toContain('Nothing was sent.');
  expect(uploadRefusal(2_000_000_000_000, null)).toContain('at most');
  expect(uploadRefusal(5, null)).toBeNull();
  expect(uploadRefusal(5, 5)).toBeNull();
});

const told: RestoreTest = {
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  dumpId: '6f9619ff-8b86-4d01-b42d-00cf4fc964fe',
  dumpMadeAt: 1,
  testedAt: 2,
  durationSeconds: 3,
  outcome: 'same',
  found: { parts: 3, entries: 1_200 },
  expected: { parts: 3, least: 1_200, most: 1_200 },
  failure: '',
};

test('the last proven restore stays, and a failure after it is told beside it', () => {
  const failed: RestoreTest = { ...told, outcome: 'failed', found: null, failure: 'The import failed.' };
  expect(lastTests([])).toEqual({ proven: null, failed: null });
  expect(lastTests([told, failed])).toEqual({ proven: told, failed: null });
  expect(lastTests([failed, told])).toEqual({ proven: told, failed });
  expect(failedTestText('postgres', failed)).toBe('The import failed.');
});

test('a dump that holds something else says both counts', () => {
  const different: RestoreTest = { ...told, outcome: 'different', expected: { parts: 1, least: 1, most: 1 } };
  expect(failedTestText('postgres', different)).toBe(
    'It held 3 tables, 1,200 rows. When it was made, the database held 1 table, 1 row.',
  );
  const keys: RestoreTest = { ...different, expected: { parts: 0, least: 5, most: 7 } };
  expect(failedTestText('redis', keys)).toContain('held between 5 and 7 keys.');
});
