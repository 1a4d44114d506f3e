import type { SiteField } from '@homeport/contract/apps/site/facts';
import { siteProperties } from '../app-state/site-values.ts';
import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';

/**
 * Sets values of how nginx serves an app, and builds its configuration; null takes the app's own value off. The work goes on to one of its
 * ends on the server when the connection is lost. Ends with 1 where all is as before, and with `notPutBack` where that could not be. Since
 * plugin 1.14.
 */
export function write(
  app: AppName,
  changes: readonly { readonly field: SiteField; readonly to: string | null }[],
): Command {
  return dokku(
    'homeport:site-write',
    app,
    ...changes.map(({ field, to }) => `${siteProperties[field]}=${to ?? ''}`),
  );
}

export const notPutBack = 4;
