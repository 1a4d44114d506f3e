import type { DatabasePlugins } from '@homeport/contract/databases/schema';
import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import { canBecomeRoot, defaultImages, plugin } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { ServerRow } from '../../records/server-record.ts';
import type { Run } from '../../remote/run-command.ts';
import { accountOf, loginUser } from '../../remote/server-access.ts';

/** The login that may install a plugin, or null. */
export function installerOf(server: ServerRow): string | null {
  return canBecomeRoot(accountOf(server, 'root')) ? loginUser(server, 'root') : null;
}

/** Refuses a server without Dokku, before anything is tried on it. */
export function refuseMetal(server: Pick<ServerRow, 'metal'>): void {
  if (server.metal)
    throw new ProblemError('conflict', 'This server is used without Dokku, so it has no databases of Dokku.');
}

/** Asks the server which types of database it can make. A plugin that is disabled counts as missing. */
export async function readDatabasePlugins(server: ServerRow, run: Run): Promise<DatabasePlugins> {
  const listed = plugin.readList(await run(plugin.list()));
  const images = defaultImages.readDefaultImages(
    await run(defaultImages.listDefaultImages(), { accept: 'any', quiet: true }),
  );
  return {
    plugins: databaseTypeNames.map((type) => {
      const version = listed.find(({ name, enabled }) => name === type && enabled)?.version ?? null;
      return { type, version, imageVersion: version === null ? null : (images.get(type) ?? null) };
    }),
    installer: installerOf(server),
  };
}
