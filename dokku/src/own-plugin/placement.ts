import { type Command, hostCommand } from '../command.ts';
import { pluginFiles } from './plugin-files.ts';

// Where the plugin's files lie on a server. `plugins` is the folder of Dokku's plugins.

/** The sandbox has a folder of its own for root’s files, and its account need not be root. */
export type Rights = { readonly needsRoot: boolean };

/** The exit code of a program that can do nothing here, and did nothing. */
export const notPossible = 3;

/**
 * Writes the files as the running account, root on a real server, and swaps them in as a whole. Exit code 3:
 * there is no folder for plugins, or a plugin of this name is somebody else’s; nothing was changed.
 */
export function write(plugins: string, rights: Rights): Command {
  const lines = pluginFiles.files.map(
    ({ path, text, executable }) =>
      `${path} ${executable ? '0755' : '0644'} ${Buffer.from(text).toString('base64')}\n`,
  );
  return pluginCommand(writeProgram, plugins, { ...rights, stdin: `${lines.join('')}end\n` });
}

/** Ends with 0 if the plugin is Homeport’s, with 3 otherwise. */
export function check(plugins: string, rights: Rights): Command {
  return pluginCommand(checkProgram, plugins, rights);
}

export function remove(plugins: string, rights: Rights): Command {
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
