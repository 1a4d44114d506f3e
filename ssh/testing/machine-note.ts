import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Only root writes here, so nobody else can make a test clear anything. */
const folder = '/run';

/**
 * A note that a test changes this machine itself: accounts, system files. A killed run cannot clean up. Its leftovers look like a
 * real installation, and the test must not run beside one. The note tells the next run that the leftovers are a test's own, and
 * the next run clears them.
 */
export function machineNote(name: string, clear: () => void) {
  const path = `${folder}/homeport-test-${name}`;
  return {
    /** Clears the leftovers of a run that has ended. Leaves those of a run that still works alone. */
    clearLeftovers(): void {
      if (!existsSync(path) || existsSync(`/proc/${readFileSync(path, 'utf8')}`)) return;
      clear();
      rmSync(path);
    },
    /** Call this before the first change. */
    begin(pid = process.pid): void {
      writeFileSync(path, String(pid));
    },
    /** Clears, also after a test that failed halfway. */
    end(): void {
      clear();
      rmSync(path, { force: true });
    },
  };
}
