import { type Command, hostCommand, plugin, pluginFiles, schedules } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { recordServerFacts } from '../server-changes.ts';
import { notPossible } from './console-account.ts';

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
  const written = await context.run('root', writePlugin(placeOf(context), rightsOf(context)), {
    accept: [0, notPossible],
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
  const own = await context.run('root', checkPlugin(placeOf(context), rightsOf(context)), {
    accept: [0, notPossible],
    shown: `look at ${pluginFiles.folder}`,
  });
  if (own.exitCode !== 0) return { state: 'skipped', note: `It stays: ${own.stderr.trim()}.` };
  const withdrawn = found.enabled ? await withdrawSchedules(context) : true;
  if (found.enabled) await context.run('root', plugin.disable(pluginFiles.name));
  await context.run('root', deletePlugin(placeOf(context), rightsOf(context)), {
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

type Rights = { needsRoot: boolean };

/** The sandbox has a folder of its own for root’s files, and its account need not be root. */
const sandboxOf = ({ facts }: Context) => (typeof facts.sandboxRoot === 'string' ? facts.sandboxRoot : null);
const placeOf = (context: Context) =>
  `${sandboxOf(context) === null ? '' : `${sandboxOf(context)}/machine`}${pluginsFolder}`;
const rightsOf = (context: Context): Rights => ({ needsRoot: sandboxOf(context) === null });

/**
 * Writes the files as the running account, root on a real server, and swaps them in as a whole. Exit code 3:
 * there is no folder for plugins, or a plugin of this name is somebody else’s; nothing was changed.
 */
export function writePlugin(plugins: string, rights: Rights): Command {
  const lines = pluginFiles.files.map(
    ({ path, text, executable }) =>
      `${path} ${executable ? '0755' : '0644'} ${Buffer.from(text).toString('base64')}\n`,
  );
  return pluginCommand(writeProgram, plugins, { ...rights, stdin: `${lines.join('')}end\n` });
}

/** Ends with 0 if the plugin is Homeport’s, with 3 otherwise. */
export function checkPlugin(plugins: string, rights: Rights): Command {
  return pluginCommand(checkProgram, plugins, rights);
}

export function deletePlugin(plugins: string, rights: Rights): Command {
  return pluginCommand(deleteProgram, plugins, rights);
}

function pluginCommand(
  program: string,
  plugins: string,
  options: { needsRoot: boolean; stdin?: string },
): Command {
  return hostCommand(['sh', '-c', program, 'homeport-plugin', plugins, pluginFiles.name], options);
}

/**
 * The folder of plugins may belong to the user dokku, who could put a link in any place of the path at any
 * time. So the program first goes into the folder and then asks where it stands. From there on every path is
 * a single name in that folder, of which mkdir(1), mv(1) with -T and rm(1) follow no link.
 */
const goThere = `set -euf
umask 022
available=$1/available
name=$2
cd -P "$available" 2>/dev/null || { echo "there is no folder $available" >&2; exit 3; }
[ "$(pwd -P)" = "$available" ] || { echo "$available is reached over a link" >&2; exit 3; }
is_ours() {
  [ ! -L "$name" ] && [ -f "$name/plugin.toml" ] && grep -q '^description = "Tells Homeport ' "$name/plugin.toml"
}
refuse_strange() {
  if [ -e "$name" ] || [ -L "$name" ]; then
    is_ours || { echo "another plugin there is called $name" >&2; exit 3; }
  fi
}
`;

/** A folder that nobody else may enter until it is whole. Its name is new, or mkdir fails. */
const writeProgram = `${goThere}
refuse_strange
new=.$name.new.$$
old=.$name.old.$$
mkdir -m 0700 "$new"
trap 'rm -rf "$new" "$old"' EXIT
(
  cd -P "$new"
  [ -O . ] && [ "$(pwd -P)" = "$available/$new" ] || { echo "$new changed hands" >&2; exit 1; }
  while read -r path mode text; do
    # The name of the folder may lead elsewhere by now. "." is the folder that this program made.
    if [ "$path" = end ]; then chmod 0755 .; exit 0; fi
    case $path in */*) mkdir -p "\${path%/*}" ;; esac
    printf %s "$text" | base64 -d >"$path"
    chmod "$mode" "$path"
  done
  echo 'the plugin did not arrive whole' >&2
  exit 1
)
if [ -e "$name" ]; then mv -T "$name" "$old"; fi
mv -T "$new" "$name"
echo "The plugin is in $available/$name."
`;

const checkProgram = `${goThere}
refuse_strange
`;

const deleteProgram = `${goThere}
refuse_strange
rm -rf "$name"
echo "The plugin is deleted."
`;
