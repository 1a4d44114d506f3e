import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { machineNote } from './machine-note.ts';

test.skipIf(process.getuid?.() !== 0)('what a killed run left is cleared once by the next run', () => {
  const name = `note-${process.pid}`;
  let cleared = 0;
  const note = machineNote(name, () => {
    cleared += 1;
  });
  note.clearLeftovers();
  expect(cleared).toBe(0);
  const { pid: endedRun } = spawnSync('true');
  note.begin(endedRun);
  note.clearLeftovers();
  note.clearLeftovers();
  expect(cleared).toBe(1);

  note.begin();
  // Still at work: another run leaves it alone.
  note.clearLeftovers();
  expect(cleared).toBe(1);
  note.end();
  note.clearLeftovers();
  expect(cleared).toBe(2);
});
