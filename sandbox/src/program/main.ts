import { keep } from '../machine/keep.ts';
import { pathsFromEnvironment } from '../machine/paths.ts';
import { leadPorts } from './ambassador.ts';
import { commonFunction } from './deploy-functions.ts';
import { dispatch } from './dispatch.ts';
import { docker } from './docker.ts';
import { serveFront } from './front.ts';
import { serveKey } from './git-shell.ts';
import { preReceive } from './pre-receive.ts';
import { serveStatic } from './static.ts';
import { superviseContainer } from './supervise.ts';

/** One program in many roles, so that a sandbox is one file to copy and starts quickly. */
const [role = '', ...words] = process.argv.slice(2);

const roles: Record<string, () => Promise<unknown>> = {
  dokku: () => dispatch(words),
  docker: () => docker(words),
  key: () => serveKey(words[0] ?? '', process.env.SSH_ORIGINAL_COMMAND ?? ''),
  'pre-receive': () => preReceive(words[0] ?? ''),
  supervise: () => superviseContainer(pathsFromEnvironment(), words[0] ?? ''),
  ambassador: () => leadPorts(words),
  keep: () => keep(pathsFromEnvironment(), words),
  front: () => serveFront(pathsFromEnvironment(), Number(words[0] ?? 0)),
  common: () => commonFunction(words),
  static: () => serveStatic(words[0] ?? '.', Number(words[1] ?? 0)),
};

const start = roles[role];
if (!start) throw new Error(`The sandbox has no role "${role}".`);
// No `await`, because this becomes a CommonJS file, which cannot have one at its top.
void start().then((exitCode) => {
  if (typeof exitCode === 'number') process.exitCode = exitCode;
});
