import { allServiceKinds } from '../services/kinds.ts';

/**
 * The Dokku commands that read state, print and end: they start no program, take no stdin, hold no lock and follow nothing. So a
 * process that runs already can answer them (`answer-commands.ts`), which costs a tenth of a start of Node.
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
  'nginx:report',
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

/**
 * The Dokku commands that change state and end: no deploy, no lock and no container. `homeport:*` are those of Homeport's own plugin, whose
 * programs run on the streams of whoever asks.
 */
export const instantChanges: readonly string[] = [
  'apps:create',
  'checks:disable',
  'checks:enable',
  'checks:set',
  'checks:skip',
  'domains:add',
  'domains:remove',
  'domains:set-global',
  'git:set',
  'network:set',
  'plugin:disable',
  'plugin:enable',
  'ports:clear',
  'ports:set',
  'ps:set',
  'resource:limit',
  'resource:limit-clear',
  'ssh-keys:add',
  'ssh-keys:remove',
  'storage:create',
  'storage:mount',
  'storage:unmount',
  ...allServiceKinds.flatMap(({ type }) => [`${type}:connect`, `${type}:export`]),
];
export const ownPlugin = 'homeport:*';

/** The questions to Docker of the same kind. `docker container inspect` is `inspect` too, and `container rm` ends containers. */
export const instantQuestions: readonly string[] = ['container', 'image', 'info', 'inspect', 'ps', 'version'];
/** `docker exec` runs its program on the streams of whoever asks, and `docker build` reads a Dockerfile there. */
export const instantStreams: readonly string[] = ['exec', 'build'];

/** Whether the program may begin such a command again after the front began it. */
export function isRead(role: string | undefined, words: readonly string[]): boolean {
  const name = words[0] === '--quiet' ? words[1] : words[0];
  return role === 'docker' ? !instantStreams.includes(name ?? '') : instantReads.includes(name ?? '');
}

/** The longest path of a unix socket: 108 bytes with the final zero (unix(7)). */
export const longestSocketPathBytes = 107;
