import type { App } from '@homeport/contract/apps/schema';
import type { Database, DatabaseLink } from '@homeport/contract/databases/schema';

export interface LinkedDatabase {
  database: Database;
  link: DatabaseLink;
}

/** The databases that an app is linked to. An app's name in Dokku is unique on its server only. */
export function databasesOfApp(
  { serverId, longname }: Pick<App, 'serverId' | 'longname'>,
  databases: readonly Database[],
): LinkedDatabase[] {
  return databases.flatMap((database) => {
    const link = database.links.find(({ appLongname }) => appLongname === longname);
    return link && database.serverId === serverId ? [{ database, link }] : [];
  });
}
