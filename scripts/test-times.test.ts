import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from './install.mjs';
import { idlePercent, playwrightTimes, slowest, vitestTimes } from './test-times.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-times-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function report(content: unknown): Promise<string> {
  const file = join(folder, 'report.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

it('names the ten slowest files, the slowest first', () => {
  const times = Array.from({ length: 12 }, (_, seconds) => ({ file: `${seconds}.test.ts`, seconds }));
  expect(slowest(times).map(({ seconds }) => seconds)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});

it('tells the share of the processor that nobody used', () => {
  expect(idlePercent({ idle: 100, all: 1_000 }, { idle: 150, all: 1_200 })).toBe(25);
  expect(idlePercent({ idle: 1, all: 1 }, { idle: 1, all: 1 })).toBe(0);
});

it('reads the time of each file from Vitest’s report', async () => {
  const file = await report({
    testResults: [{ name: join(root, 'api/src/a.test.ts'), startTime: 5_000, endTime: 7_500 }],
  });
  expect(vitestTimes(file)).toEqual([{ file: 'api/src/a.test.ts', seconds: 2.5 }]);
});

it('adds the tests of a browser file up, at any depth', async () => {
  const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
  const suite = {
    file: 'a.spec.ts',
    specs: [spec(1_000)],
    suites: [{ file: 'a.spec.ts', specs: [spec(500)] }],
  };
  expect(playwrightTimes(await report({ suites: [suite] }))).toEqual([
    { file: 'e2e/a.spec.ts', seconds: 1.5 },
  ]);
});

it('knows no times without a report', () => {
  expect(vitestTimes(join(folder, 'none.json'))).toEqual([]);
  expect(playwrightTimes(join(folder, 'none.json'))).toEqual([]);
});
