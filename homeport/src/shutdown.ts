import { StoreError } from '@homeport/store';

/** The whole end of the console takes so long at most. A supervisor waits for longer. */
export const stopWithinMs = 15_000;

/** Of a start that only a person can mend. The unit of systemd does not try it again: each try would hold the tables of others, or copy all data once more. */
export const refusedStartExit = 3;
const forPerson: ReadonlySet<string> = new Set([
  'newer_schema',
  'step_too_long',
  'pooled',
  'newer_data',
  'older_data',
  'move_failed',
  'no_binaries',
]);

/** With which code a start ends that failed: 3 where another try would fail alike, 1 otherwise. */
export const exitOfStart = (error: unknown): number =>
  error instanceof StoreError && forPerson.has(error.code) ? refusedStartExit : 1;

/** The parts to end with the console, last added first. */
export type Cleanup = {
  add(what: string, end: () => Promise<void> | void): void;
  /** Ends all parts once, also after a failed one. Resolves with false when a part failed or the time ran out. */
  run(): Promise<boolean>;
};

export function createCleanup(withinMs: number, report: (what: string, error: unknown) => void): Cleanup {
  const ends: { what: string; end: () => Promise<void> | void }[] = [];
  let running: Promise<boolean> | undefined;

  async function runAll(): Promise<boolean> {
    let clean = true;
    for (let next = ends.pop(); next; next = ends.pop()) {
      try {
        await next.end();
      } catch (error) {
        clean = false;
        report(next.what, error);
      }
    }
    return clean;
  }

  async function bounded(): Promise<boolean> {
    let late: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      late = setTimeout(() => {
        report('the end of the console', new Error(`it took longer than ${withinMs} ms`));
        resolve(false);
      }, withinMs);
    });
    const clean = await Promise.race([runAll(), timeout]);
    clearTimeout(late);
    return clean;
  }

  return {
    add(what, end) {
      ends.push({ what, end });
    },
    run() {
      running ??= bounded();
      return running;
    },
  };
}
