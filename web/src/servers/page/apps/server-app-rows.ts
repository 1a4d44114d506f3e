import type { App } from '@homeport/contract/apps/schema';

/** An app as the server has it; `app` is null for one that Homeport keeps no record of. */
export interface ServerAppRow {
  longname: string;
  app: App | null;
  /** Recorded here and not on the server any more. False while nobody asked the server. */
  gone: boolean;
}

/** Homeport's apps of a server and those that others made there, by name; `onServer` is null while it is not known. */
export function serverAppRows(
  apps: readonly App[],
  onServer: readonly { longname: string }[] | null,
): ServerAppRow[] {
  const there = new Set(onServer?.map(({ longname }) => longname));
  const ours = apps.map((app) => ({
    longname: app.longname,
    app,
    // An app whose creation goes on has its record before the server has it.
    gone: onServer !== null && app.deployment.at !== null && !there.has(app.longname),
  }));
  const known = new Set(apps.map(({ longname }) => longname));
  const others = [...there]
    .filter((longname) => !known.has(longname))
    .map((longname) => ({ longname, app: null, gone: false }));
  return [...ours, ...others].toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

const nameOf = ({ longname, app }: ServerAppRow) => app?.name ?? longname;
