import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../machine/paths.ts';
import { realVersionOf } from './engines/engine-of.ts';
import { allServiceKinds } from './kinds.ts';

/** Writes the file in which a service plugin names its image. Other plugins have none. `real`: new services are real servers where they can be. */
export function writeDockerfile(paths: Paths, plugin: string, real: boolean): void {
  const kind = allServiceKinds.find(({ type }) => type === plugin);
  if (!kind) return;
  const version = (real ? realVersionOf(paths, kind) : null) ?? kind.imageVersion;
  const folder = join(paths.root, 'lib/plugins/available', plugin);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'Dockerfile'), `FROM ${kind.image}:${version}\n`);
}
