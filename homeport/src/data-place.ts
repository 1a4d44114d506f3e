import { type DataPlace, isDiskFull, isUnavailable, StoreError } from '@homeport/store';
import { decideDataFolder } from './config/config.ts';
import { ConfigError, type Environment } from './config/environment.ts';
import { StartError } from './start-error.ts';

export type Place = { dataFolder: string; place: DataPlace };

/** Where the data of the console are that these settings name. They depend on no other setting. */
export function placeOf(environment: Environment): Place {
  const dataFolder = decideDataFolder(environment, {
    uid: process.getuid?.(),
    xdgDataHome: process.env.XDG_DATA_HOME,
  });
  // A command works alone, so it needs no pooler, and a backup needs a session of its own.
  const url = environment.DATABASE_URL_DIRECT ?? environment.DATABASE_URL;
  return {
    dataFolder,
    place: url === undefined ? { dataFolder, programs: environment.HOMEPORT_POSTGRES } : { url },
  };
}

/** What PostgreSQL says to a command when it ends meanwhile, or finds no space. */
export function ofDatabase(error: unknown): unknown {
  if (error instanceof StoreError || error instanceof StartError || error instanceof ConfigError)
    return error;
  if (isDiskFull(error))
    return new StartError(
      'PostgreSQL has not enough space on its disk.',
      'Nothing was changed. Free some space there, and start the command again.',
    );
  if (isUnavailable(error))
    return new StartError(
      'PostgreSQL ended meanwhile.',
      'Nothing was changed. Start the command again when it answers.',
    );
  return error;
}
