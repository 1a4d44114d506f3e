import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { machineNote } from './machine-note.ts';

test.skipIf(process.getuid?.() !== 0)('the next run clears the leftovers of a killed run, once', () => {
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
  // The process still runs, so another run leaves its changes alone.
  note.clearLeftovers();
  expect(cleared).toBe(1);
  note.end();
  note.clearLeftovers();
  expect(cleared).toBe(2);
});
