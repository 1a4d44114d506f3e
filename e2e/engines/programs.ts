import { existsSync } from 'node:fs';

/** The first of these programs that Debian's packages have installed. */
export function findProgram(...names: readonly string[]): string | undefined {
  return names.map((name) => `/usr/bin/${name}`).find(existsSync);
}
