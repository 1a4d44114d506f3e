import { allServiceKinds } from '../services/kinds.ts';

/**
 * The Dokku commands that read state, print and end: they start no program, take no stdin, hold no lock and follow nothing. So a
 * process that runs already can answer them (`answer-reads.ts`), which costs a tenth of a start of Node.
 */
export const instantReads: readonly string[] = [
  '--version',
  'acl:list',
  'apps:exists',
  'apps:list',
  'apps:locked',
  'apps:report',
  'builds:list',
  'checks:report',
  'config:export',
  'config:keys',
  'cron:list',
  'domains:report',
  'letsencrypt:active',
  'letsencrypt:report',
  'plugin:installed',
  'plugin:list',
  'ports:list',
  'ports:report',
  'proxy:report',
  'ps:inspect',
  'ps:report',
  'resource:report',
  'ssh-keys:list',
  'storage:list',
  'storage:list-entries',
  'urls',
  'version',
  ...allServiceKinds.flatMap(({ type }) =>
    ['app-links', 'exists', 'info', 'linked', 'links', 'list'].map((verb) => `${type}:${verb}`),
  ),
];

/** The questions to Docker of the same kind. `docker container inspect` is `inspect` too. */
export const instantQuestions: readonly string[] = ['container', 'inspect', 'ps', 'version'];

/** The longest path of a unix socket: 108 bytes with the final zero (unix(7)). */
export const longestSocketPathBytes = 107;
