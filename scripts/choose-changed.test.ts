import { describe, expect, it } from 'vitest';
import { chooseChanged, specsOfFeatures } from './choose-changed.mjs';
import { importersOf, sourceFiles, testFiles } from './import-graph.mjs';

const tests = testFiles();
const importers = importersOf([...sourceFiles(), ...tests]);
const choose = (...changed: string[]) => chooseChanged(changed, importers, tests);

describe('a change of one feature', () => {
  it('runs the tests that import the changed file, through any number of files', () => {
    const { unit } = choose('dokku/src/names/app-name.ts');
    expect(unit).toContain('dokku/src/commands/nouns.test.ts');
  });

  it('runs the tests of its feature in every room, and its browser tests', () => {
    const { unit, specs } = choose('api/src/databases/handlers.ts');
    expect(unit).toContain('api/src/databases/databases.test.ts');
    expect(unit.some((file) => file.startsWith('web/src/databases/'))).toBe(true);
    expect(specs).toEqual([
      'e2e/backups.spec.ts',
      'e2e/databases.spec.ts',
      'e2e/many-databases.spec.ts',
      'e2e/proven-backups.spec.ts',
    ]);
  });

  it('runs only the tests of a part of the feature, and those that reach it, where the change stays within the part', () => {
    const { unit, specs } = choose('web/src/apps/page/cron/CronPanel.tsx', 'api/src/apps/cron/read-tasks.ts');
    expect(specs).toEqual(['e2e/schedules.spec.ts']);
    expect(unit.some((file) => file.startsWith('api/src/apps/cron/'))).toBe(true);
    expect(unit).not.toContain('web/src/apps/crash-text.test.ts');
    expect(choose('api/src/apps/feature.ts').specs).toContain('e2e/schedules.spec.ts');
  });

  it('runs what looks at every file, and packs no release unless the way of packing changed', () => {
    const { unit, leftOut } = choose('web/src/charts/Chart.tsx');
    expect(unit).toContain('scripts/folders.test.ts');
    expect(leftOut).toContain('scripts/release/release.test.ts');
    expect(choose('scripts/release/make-tree.mjs').unit).toContain('scripts/release/release.test.ts');
  });

  it('tells the tests of other features that run the whole api', () => {
    const { unit, leftOut, specsLeftOut } = choose('api/src/databases/handlers.ts');
    expect(leftOut).toContain('api/src/apps/settings.test.ts');
    expect(leftOut.filter((file) => unit.includes(file))).toEqual([]);
    expect(specsLeftOut).toContain('e2e/main-job.spec.ts');
  });

  it('runs a changed test itself', () => {
    expect(choose('e2e/guards.spec.ts').specs).toEqual(['e2e/guards.spec.ts']);
    expect(choose('ssh/src/connection.test.ts').unit).toContain('ssh/src/connection.test.ts');
  });

  it('tells the files that it knows no tests for', () => {
    expect(choose('package.json', 'api/src/databases/handlers.ts').unknown).toEqual(['package.json']);
  });
});

it('each browser test belongs to a feature or to the whole program, and each named one exists', () => {
  const named = new Set(Object.values(specsOfFeatures).flat());
  const present = tests.flatMap((file) => /^e2e\/([\w-]+)\.spec\.ts$/.exec(file)?.[1] ?? []);
  expect([...named].toSorted()).toEqual(present.toSorted());
});
