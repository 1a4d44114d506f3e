import { startConsole } from '../../e2e/fixtures/console.ts';
import { figure, figureAtMost } from '../figure.ts';
import { measureUnderAttack } from './measure.ts';
import { percentile } from './neighbour.ts';

const idleSeconds = 20;
const attackSeconds = 60;
const addedMsAtMost = 50;
const memoryMiBAtMost = 400;

/** Measures the effect on another person while a hostile account and its servers run every attack at once. */
async function main(): Promise<void> {
  const homeport = await startConsole();
  try {
    const { idle, attacked, peakBytes, processorShare, tallies } = await measureUnderAttack(homeport, {
      idleSeconds,
      attackSeconds,
    });
    const idleP99 = percentile(idle.latenciesMs, 0.99);
    const attackedP99 = percentile(attacked.latenciesMs, 0.99);
    figure({ what: '99 % of another person’s answers without an attack', value: `${idleP99.toFixed(1)} ms` });
    figure({ what: 'The same under attack', value: `${attackedP99.toFixed(1)} ms` });
    figureAtMost('The attack adds, at 99 %', attackedP99 - idleP99, addedMsAtMost, 'ms');
    figure({
      what: 'The slowest answer under attack',
      value: `${Math.max(...attacked.latenciesMs).toFixed(1)} ms`,
    });
    figure({
      what: 'The measuring process itself was late, at 99 %, nobody attacks and under attack',
      value: `${idle.ownDelayMs.toFixed(1)} ms and ${attacked.ownDelayMs.toFixed(1)} ms`,
    });
    figure({
      what: 'Processor time of the console under attack, share of one core',
      value: `${(processorShare * 100).toFixed(0)} %`,
    });
    figureAtMost('Requests of the other person that failed', attacked.refused.length, 0, '');
    figureAtMost('Memory of the console at its most (RSS)', peakBytes / 2 ** 20, memoryMiBAtMost, 'MiB');
    for (const refused of attacked.refused.slice(0, 5)) console.log(`refused: ${refused}`);
    for (const [attack, tally] of Object.entries(tallies)) console.log(`${attack}: ${JSON.stringify(tally)}`);
  } finally {
    await homeport.stop();
  }
}

await main();
