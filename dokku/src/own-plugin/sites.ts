import type { SiteField } from '@homeport/contract/apps/site/facts';
import { siteProperties } from '../app-state/site-values.ts';
import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';

/**
 * Sets values of how nginx serves an app, and builds its configuration; null takes the app's own value off. Without a change it builds what
 * is set. The work goes on to one of its ends on the server when the connection is lost. Since plugin 1.14.
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

/** The exit codes with which the plugin ends a change (`plugin/site-functions`). Any other code: nobody knows what holds. */
export const endings = {
  changed: 0,
  notBegun: 10,
  busy: 11,
  putBack: 12,
  notReloaded: 13,
  notPutBack: 14,
  earlierLeft: 15,
  noApp: 20,
} as const;
export type Ending = keyof typeof endings;
