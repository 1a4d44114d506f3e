import { startConsole } from '../../e2e/fixtures/console.ts';
import { measureUnderAttack } from './measure.ts';
import { printTallies, reportDelay, reportLatency, reportProcess } from './report.ts';

const times = { idleSeconds: 20, attackSeconds: 60 };
const memoryMiBAtMost = 400;

/** Measures the effect on another person while a hostile account and its servers run every attack at once. */
export async function reportConsole(): Promise<void> {
  const homeport = await startConsole();
  try {
    const measured = await measureUnderAttack(homeport, times);
    reportLatency('another person’s answers', measured);
    reportDelay(measured);
    reportProcess('the console', measured, memoryMiBAtMost);
    printTallies(measured.tallies);
  } finally {
    await homeport.stop();
  }
}
