import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../machine/paths.ts';
import { allServiceKinds } from './kinds.ts';

/** Writes the file in which a service plugin names its image. Other plugins have none. */
export function writeDockerfile({ root }: Pick<Paths, 'root'>, plugin: string): void {
  const kind = allServiceKinds.find(({ type }) => type === plugin);
  if (!kind) return;
  const folder = join(root, 'lib/plugins/available', plugin);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'Dockerfile'), `FROM ${kind.image}:${kind.imageVersion}\n`);
}
