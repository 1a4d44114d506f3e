import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Only root writes here, so nobody else can have a test clear anything. */
const folder = '/run';

/**
 * A note that a test changes this machine itself: accounts, system files. A run that is killed cannot clean up, and what it
 * leaves looks like a real installation, beside which the test must not run. By the note the next run knows that the
 * leftovers are a test's own and clears them.
 */
export function machineNote(name: string, clear: () => void) {
  const path = `${folder}/homeport-test-${name}`;
  return {
    /** Clears what a run that has ended left behind. Another run that is still at work is left alone. */
    clearLeftovers(): void {
      if (!existsSync(path) || existsSync(`/proc/${readFileSync(path, 'utf8')}`)) return;
      clear();
      rmSync(path);
    },
    /** To be called before the first change. */
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
