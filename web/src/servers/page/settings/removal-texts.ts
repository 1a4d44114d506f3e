import type { App } from '@homeport/contract/apps/schema';
import { dumpsFolder } from '@homeport/contract/databases/facts';
import type { ServerRemoval } from '@homeport/contract/servers/schema';

const names = new Intl.ListFormat('en', { type: 'conjunction' });

interface RemovalTexts {
  /** What the removal of the server means for its databases, a sentence or more for each paragraph. */
  databases: string[];
  /** What the removal of Homeport's plugin ends. */
  plugin: string;
}

/** The apps that run on without Homeport, and the sentence about those that the server no longer has. */
export function appsOnRemoval<Known extends Pick<App, 'name' | 'missingSince'>>(
  apps: readonly Known[],
): { running: Known[]; gone: string | null } {
  const gone = apps.filter(({ missingSince }) => missingSince !== null).map(({ name }) => name);
  return {
    running: apps.filter(({ missingSince }) => missingSince === null),
    gone:
      gone.length === 0
        ? null
        : `What Homeport knows of ${names.format(gone)}, which the server no longer has, goes with it.`,
  };
}

/** `pluginGoes`: the person chose to remove Homeport's plugin too. */
export function removalTexts({ databases }: ServerRemoval, pluginGoes: boolean): RemovalTexts {
  const named = (standing: ServerRemoval['databases'][number]['schedule']) =>
    databases.filter(({ schedule }) => schedule === standing).map(({ name }) => name);
  const [runs, paused, unknown] = [named('runs'), named('paused'), named('unknown')];
  const one = databases.length === 1;
  const texts: string[] = [];
  if (databases.length > 0)
    texts.push(
      `${one ? 'Its database goes' : `Its ${databases.length} databases go`} from Homeport with it, and ${one ? 'runs' : 'run'} on there unmanaged: ${names.format(databases.map(({ name }) => name))}. Dumps that were made stay on the machine, in ${dumpsFolder}.`,
    );
  if (runs.length > 0)
    texts.push(
      pluginGoes
        ? `Scheduled backups of ${names.format(runs)} end.`
        : `The machine goes on to make the scheduled backups of ${names.format(runs)}. No more reports of them reach Homeport: nobody is notified when one fails.`,
    );
  if (paused.length > 0)
    texts.push(`The backups of ${names.format(paused)} are paused, and stay so: nothing can resume them.`);
  if (unknown.length > 0)
    texts.push(
      `Homeport does not know whether ${names.format(unknown)} ${unknown.length === 1 ? 'has' : 'have'} scheduled backups.`,
    );
  return {
    databases: texts,
    plugin:
      'The plugin makes the scheduled backups, also of databases that Homeport does not list. Without it, they end. The dumps stay.',
  };
}
