import { isMeantToRun } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import type { Database, DatabaseLink } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';

/** The name by which a person knows the linked app. */
export const linkedName = ({ appName, appLongname }: Pick<DatabaseLink, 'appName' | 'appLongname'>): string =>
  appName ?? appLongname;

/** Whether the app reads the database from the variable that apps usually read. null: not known yet. */
export const isPromoted = (type: Database['type'], { variable }: Pick<DatabaseLink, 'variable'>) =>
  variable === null ? null : variable === databaseTypeOf(type).variable;

type Linked = Pick<Database, 'id' | 'name' | 'type' | 'serverId' | 'links'>;

/**
 * What the app's variable for the database will be called. Dokku takes another name when the app has the usual variable
 * already, as far as Homeport knows from the app's other databases.
 */
export function variableSentence(
  database: Pick<Linked, 'id' | 'type' | 'serverId'>,
  appLongname: string | null,
  databases: readonly Linked[],
): string {
  const { variable } = databaseTypeOf(database.type);
  const holder = databases.find(
    ({ id, serverId, links }) =>
      id !== database.id &&
      serverId === database.serverId &&
      links.some((link) => link.appLongname === appLongname && link.variable === variable),
  );
  return holder
    ? `The app reads ${variable} from ${holder.name} already, so Dokku chooses another name. This page shows it afterwards.`
    : `The app gets the connection string in ${variable}, or in another variable that Dokku chooses if the app has this one already.`;
}

/** Whether a change of the app's variables should restart it: only a running app has read them. */
export const restartsAtFirst = (
  app: Pick<App, 'stopped' | 'deployment' | 'missingSince'> | undefined,
): boolean => app !== undefined && isMeantToRun(app);
