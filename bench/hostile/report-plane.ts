import { figure, figureAtMost } from '../figure.ts';
import { measurePlaneUnderAttack, restWithinMs } from './measure-plane.ts';
import type { OpenFiles } from './open-files.ts';
import { printTallies, reportDelay, reportLatency, reportProcess } from './report.ts';

const times = { idleSeconds: 15, attackSeconds: 40 };
const memoryMiBAtMost = { console: 400, service: 512 } as const;

/** Measures the effect on another website and another page while hostile accounts, their visitors and websites attack the proxy service. */
export async function reportPlane(): Promise<void> {
  const measured = await measurePlaneUnderAttack(times);
  const { idle, attacked, ofConsole, ofService } = measured;
  const of = (which: 'website' | 'page') => ({ idle: idle[which], attacked: attacked[which] });
  reportLatency(
    'the answers of another account’s website, attacked through the proxy service',
    of('website'),
  );
  reportLatency('another person’s answers while the proxy service is attacked', of('page'));
  reportDelay(of('website'));
  reportProcess('the console beside the attacked proxy service', ofConsole, memoryMiBAtMost.console);
  reportProcess('the attacked proxy service', ofService, memoryMiBAtMost.service);
  figureAtMost('Ends of the proxy service under attack', measured.isSameService ? 0 : 1, 0, '');
  reportFiles('the console', ofConsole.openFiles);
  reportFiles('the proxy service', ofService.openFiles);
  figureAtMost(
    'Both are back at rest after the attack',
    measured.secondsUntilRest,
    restWithinMs / 1_000,
    's',
  );
  printTallies(measured.tallies);
}

function reportFiles(what: string, { atRest, atMost, last }: OpenFiles): void {
  figure({
    what: `Open descriptors of ${what}: at rest, under attack at most, afterwards`,
    value: `${atRest}, ${atMost} and ${last}`,
  });
}
