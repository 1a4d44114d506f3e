import type { App } from '@homeport/contract/apps/schema';
import { pageLocale } from '../../../ui/text/locale.ts';

/** An app on the server. `app` is null if Homeport has no record of it. */
export interface ServerAppRow {
  longname: string;
  app: App | null;
  /** Homeport has a record, but the server has no such app. False until the server was asked. */
  gone: boolean;
}

/**
 * All apps of a server, sorted by name: Homeport's own and those that others made. `onServer` is null until
 * the server has answered.
 */
export function serverAppRows(
  apps: readonly App[],
  onServer: readonly { longname: string }[] | null,
): ServerAppRow[] {
  const there = new Set(onServer?.map(({ longname }) => longname));
  const ours = apps.map((app) => ({
    longname: app.longname,
    app,
    // During a creation the record exists before the app exists on the server.
    gone: onServer !== null && app.deployment.at !== null && !there.has(app.longname),
  }));
  const known = new Set(apps.map(({ longname }) => longname));
  const others = [...there]
    .filter((longname) => !known.has(longname))
    .map((longname) => ({ longname, app: null, gone: false }));
  return [...ours, ...others].toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), pageLocale));
}

const nameOf = ({ longname, app }: ServerAppRow) => app?.name ?? longname;
