import { placement, plugin, pluginFiles, schedules } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { recordServerFacts } from '../server-changes.ts';

type Context = StepContext<{ serverId: string }>;

const pluginsFolder = '/var/lib/dokku/plugins';

/**
 * Installs Homeport’s own Dokku plugin or its newer version, and enables it. Safe to repeat. A server that
 * refuses works without it, so that a refusal is a warning.
 */
export async function installPlugin(
  db: Kysely<Database>,
  context: Context,
  server: { id: string },
): Promise<StepOutcome> {
  const written = await context.run('root', placement.write(placeOf(context), rightsOf(context)), {
    accept: [0, placement.notPossible],
    shown: `write ${pluginFiles.folder}`,
  });
  if (written.exitCode !== 0) {
    await recordServerFacts(db, context.owner, server.id, { dokku_plugin: null });
    return { state: 'warned', note: `${withoutPlugin}: ${written.stderr.trim()}.` };
  }
  const isEnabled = async () =>
    plugin
      .readList(await context.run('root', plugin.list(), { quiet: true }))
      .some(({ name, enabled }) => name === pluginFiles.name && enabled);
  if (!(await isEnabled())) await context.run('root', plugin.enable(pluginFiles.name), { accept: 'any' });
  const works = await isEnabled();
  await recordServerFacts(db, context.owner, server.id, {
    dokku_plugin: works ? pluginFiles.version : null,
  });
  return works
    ? { note: `Version ${pluginFiles.version}.` }
    : { state: 'warned', note: `${withoutPlugin}: Dokku did not enable it.` };
}

const withoutPlugin = 'Homeport reads this server’s apps without its plugin, report by report';

/** Disables the plugin and deletes its files. A plugin of this name that is not Homeport’s stays. */
export async function removePlugin(
  db: Kysely<Database>,
  context: Context,
  owner: Owner,
): Promise<StepOutcome | undefined> {
  const present = plugin.readList(await context.run('root', plugin.list(), { accept: 'any', quiet: true }));
  const found = present.find(({ name }) => name === pluginFiles.name);
  if (!found) return { state: 'skipped', note: 'The server has no plugin of Homeport’s.' };
  await recordServerFacts(db, owner, context.input.serverId, { dokku_plugin: null });
  const own = await context.run('root', placement.check(placeOf(context), rightsOf(context)), {
    accept: [0, placement.notPossible],
    shown: `look at ${pluginFiles.folder}`,
  });
  if (own.exitCode !== 0) return { state: 'skipped', note: `It stays: ${own.stderr.trim()}.` };
  const withdrawn = found.enabled ? await withdrawSchedules(context) : true;
  if (found.enabled) await context.run('root', plugin.disable(pluginFiles.name));
  await context.run('root', placement.remove(placeOf(context), rightsOf(context)), {
    shown: `rm -r ${pluginFiles.folder}`,
  });
  return withdrawn
    ? undefined
    : {
        state: 'warned',
        note: 'The lines of scheduled backups are still in Dokku’s crontab, and start nothing any more. They go when Dokku writes its crontab again.',
      };
}

/**
 * Takes the lines of scheduled backups out of the crontab while the plugin that they start is still there. An older plugin
 * cannot. Whether they are out.
 */
async function withdrawSchedules(context: Context): Promise<boolean> {
  const ran = await context.run('root', schedules.withdraw(), { accept: 'any' });
  return ran.exitCode === 0;
}

/** The sandbox has a folder of its own for root’s files, and its account need not be root. */
const sandboxOf = ({ facts }: Context) => (typeof facts.sandboxRoot === 'string' ? facts.sandboxRoot : null);
const placeOf = (context: Context) =>
  `${sandboxOf(context) === null ? '' : `${sandboxOf(context)}/machine`}${pluginsFolder}`;
const rightsOf = (context: Context): placement.Rights => ({ needsRoot: sandboxOf(context) === null });
