import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { PluginNeed } from './plugin-need.ts';

export interface DefaultVersion {
  /** The version of the image that a database gets if nobody names one; null: not known. */
  version: string | null;
  /** Where the default comes from, for the help of the field. */
  text: string;
}

/** What an empty field for the version means on a server whose plugin is `need`. */
export function defaultVersion(type: DatabaseTypeName, need: PluginNeed): DefaultVersion {
  const { known } = databaseTypeOf(type);
  switch (need.kind) {
    case 'present':
      return need.imageVersion === null
        ? {
            version: null,
            text: `Empty: the default of this server’s plugin ${need.version}, which the server does not report. Version ${known.plugin} of the plugin takes ${known.image}.`,
          }
        : {
            version: need.imageVersion,
            text: `Empty: ${need.imageVersion}, the default of this server’s plugin ${need.version}.`,
          };
    case 'missing':
    case 'refused':
      return {
        version: null,
        text: `Empty: the default of the plugin that is installed. Version ${known.plugin} of the plugin takes ${known.image}.`,
      };
    case 'unknown':
      return {
        version: null,
        text: `Empty: the default of the server’s plugin. Version ${known.plugin} of the plugin takes ${known.image}.`,
      };
  }
}
