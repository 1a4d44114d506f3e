// The program of the thread that runs people's patterns and reads their pages. `rule-work.ts` starts it and ends it.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { doJob } from './do-job.ts';
import type { JobKind, Jobs, Report } from './jobs.ts';

// Linux has a priority for each thread: the console’s own loop comes first where they share a core.
if (process.platform === 'linux') setPriority(10);

parentPort?.on('message', ({ kind, asked }: { kind: JobKind; asked: Jobs[JobKind]['asked'] }) => {
  report({ kind: 'begun' });
  try {
    report({ kind: 'done', answer: doJob(kind, asked) });
  } catch (error) {
    report({ kind: 'failed', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

const report = (told: Report): void => parentPort?.postMessage(told);
