import { figure, figureAtMost, tidy } from '../figure.ts';
import type { Tallies } from './attacker.ts';
import { type Measured, percentile } from './neighbour.ts';

const addedMsAtMost = 50;

/** Prints the times of somebody’s answers at rest and under attack. `whose`: "another person’s answers". */
export function reportLatency(
  whose: string,
  { idle, attacked }: { idle: Measured; attacked: Measured },
): void {
  const idleP99 = percentile(idle.latenciesMs, 0.99);
  const attackedP99 = percentile(attacked.latenciesMs, 0.99);
  figure({ what: `99 % of ${whose} without an attack`, value: `${idleP99.toFixed(1)} ms` });
  figure({ what: `99 % of ${whose} under attack`, value: `${attackedP99.toFixed(1)} ms` });
  figureAtMost(`The attack adds to ${whose}, at 99 %`, attackedP99 - idleP99, addedMsAtMost, 'ms');
  figure({
    what: `The slowest of ${whose} under attack`,
    value: `${tidy(Math.max(...attacked.latenciesMs))} ms`,
  });
  figureAtMost(`Of ${whose}, so many failed`, attacked.refused.length, 0, '');
  for (const refused of attacked.refused.slice(0, 5)) console.log(`refused: ${refused}`);
}

/** Prints how late the measuring process itself was. */
export function reportDelay({ idle, attacked }: { idle: Measured; attacked: Measured }): void {
  figure({
    what: 'The measuring process itself was late, at 99 %, nobody attacks and under attack',
    value: `${idle.ownDelayMs.toFixed(1)} ms and ${attacked.ownDelayMs.toFixed(1)} ms`,
  });
}

/** Prints what a process used under attack. `what`: "the console". */
export function reportProcess(
  what: string,
  { processorShare, peakMiB }: { processorShare: number; peakMiB: number },
  mostMiB: number,
): void {
  figure({
    what: `Processor time of ${what} under attack, share of one core`,
    value: `${(processorShare * 100).toFixed(0)} %`,
  });
  figureAtMost(`Memory of ${what} at its most (RSS)`, peakMiB, mostMiB, 'MiB');
}

export function printTallies(tallies: Tallies): void {
  for (const [attack, tally] of Object.entries(tallies)) console.log(`${attack}: ${JSON.stringify(tally)}`);
}
