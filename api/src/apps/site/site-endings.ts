import { type AppName, type DokkuFailure, failureOf, nginx, type Outcome, sites } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';

type Ended = {
  readonly code: 'conflict' | 'remote_failed';
  /** What holds on the server. */
  readonly holds: string;
  readonly recovery: string;
};

/** What each end of a change means for whoever asked for it. */
const meanings: Readonly<Record<Exclude<sites.Ending, 'changed'> | 'unknown', Ended>> = {
  notBegun: {
    code: 'conflict',
    holds: 'Nothing was changed.',
    recovery: 'Look at the log, and run this again.',
  },
  busy: {
    code: 'conflict',
    holds: 'Another change of a site is at work on this server. Nothing was changed.',
    recovery: 'Run this again when that one has ended.',
  },
  putBack: {
    code: 'remote_failed',
    holds: 'What stood there before holds again.',
    recovery: 'Look at the log, and at what else is set for this app’s nginx on the server.',
  },
  notReloaded: {
    code: 'remote_failed',
    holds: 'What stood there before is set again, but nginx could not be reloaded with it.',
    recovery: 'Look whether nginx runs on the server, and run this again.',
  },
  notPutBack: {
    code: 'remote_failed',
    holds: 'What stood there before could not be put back whole.',
    recovery: 'Run this again: it begins with what was left.',
  },
  earlierLeft: {
    code: 'remote_failed',
    holds:
      'An earlier change was cut off, and what stood there before could not be put back whole. This one was not begun.',
    recovery: 'Look at the log for what the server refuses, and run this again.',
  },
  noApp: {
    code: 'conflict',
    holds: 'Nothing of this holds.',
    recovery: 'Look whether somebody destroyed or renamed the app on the server.',
  },
  unknown: {
    code: 'remote_failed',
    holds: 'It is not known what holds on the server.',
    recovery: 'Run this again: it begins with what was left.',
  },
};

/** What a change that did not end well is told as. */
export function refusalOf(app: AppName, ran: Outcome): ProblemError {
  const failure = failureOf(ran);
  if (failure?.code === 'command_unknown' && failure.command === 'homeport:site-write')
    return new ProblemError('conflict', 'The server has no plugin of Homeport’s that changes this.', {
      recovery: 'Install or update the plugin in the settings of the server.',
    });
  const ending = endingOf(ran.exitCode);
  const { code, holds, recovery } = meanings[ending === null || ending === 'changed' ? 'unknown' : ending];
  const reason = nginx.readRefusal(ran);
  const why = ending === 'busy' || ending === 'earlierLeft' ? '' : whyOf(reason, failure);
  return new ProblemError(code, `${why}${holds}`, {
    recovery: (ending === 'putBack' && causeOf(app, reason)) || recovery,
  });
}

const endingOf = (exitCode: number | null): sites.Ending | null =>
  (Object.keys(sites.endings) as sites.Ending[]).find((ending) => sites.endings[ending] === exitCode) ?? null;

function whyOf(reason: string | null, failure: DokkuFailure | null): string {
  if (reason !== null) return `nginx refuses the configuration: ${reason}. `;
  if (failure === null || failure.code === 'failed')
    return 'The server did not take the values, or could not build nginx’s configuration with them. ';
  if (failure.code === 'deploy_locked') return 'A deploy or a change of this app holds its lock. ';
  return `${failureSentence(failure)} `;
}

/** Where the cause is not this app. */
function causeOf(app: AppName, reason: string | null): string | null {
  if (reason === null) return null;
  const other = nginx.refusedApp(reason);
  if (other === app) return null;
  return other === null
    ? 'The cause may be outside of this app: look at the configuration of nginx on the server.'
    : `The cause is another app, ${other}. Mend that one on the server first.`;
}
