import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { containerOf, filesOf } from '../src/machine/containers.ts';
import { writeState } from '../src/machine/files.ts';
import { pathsOf } from '../src/machine/paths.ts';
import { State } from '../src/machine/state.ts';

/** Leaves a container of an app as a failed deploy of real Dokku does: listed, and under no name that Dokku keeps. Returns its id. */
export function leaveContainer(root: string, app: string, { minutesAgo }: { minutesAgo: number }): string {
  const paths = pathsOf(root);
  const serving = new State(paths).app(app)?.containers['web.1'];
  const like = serving === undefined ? undefined : containerOf(paths, serving);
  if (!like) throw new Error(`${app} has no container web.1.`);
  const id = randomBytes(32).toString('hex');
  mkdirSync(paths.container(id));
  const createdAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  writeState(filesOf(paths, id).meta, { ...like, id, createdAt });
  return id;
}
