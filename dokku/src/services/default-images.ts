import { type DatabaseTypeName, databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import { type Command, hostCommand, type Outcome } from '../command.ts';
import { readValues } from '../output.ts';
import { versionOfImage } from './read-service.ts';

/**
 * Reads from the files of the service plugins which image each takes by default. A plugin names its image in a Dockerfile of one
 * line, and no command of Dokku tells it. Every account may read these files; one that may only run Dokku has no shell for it.
 */
export function listDefaultImages(): Command {
  return hostCommand(['sh', '-s'], { needsRoot: false, stdin: program });
}

const program = `for type in ${databaseTypeNames.join(' ')}; do
  sed -n "1s/^FROM  *\\([^ ]*\\) *$/$type=\\1/p" "\${DOKKU_LIB_ROOT:-/var/lib/dokku}/plugins/available/$type/Dockerfile" 2>/dev/null
done
exit 0
`;

/** The versions of the images by type. A type whose plugin names none is left out. */
export function readDefaultImages({ exitCode, stdout }: Outcome): ReadonlyMap<DatabaseTypeName, string> {
  const found = exitCode === 0 ? readValues(stdout) : new Map<string, string>();
  const versions = databaseTypeNames.map((type) => [type, versionOfImage(found.get(type) ?? '')] as const);
  return new Map(versions.flatMap(([type, version]) => (version === null ? [] : [[type, version] as const])));
}
