import { type Command, dokku, type Outcome } from '../command.ts';
import { linesOf } from '../output.ts';

/** Any user may. The text form, for it is there in every version. */
export function list(): Command {
  return dokku('plugin:list');
}

export type Plugin = { readonly name: string; readonly version: string; readonly enabled: boolean };

/** An old plugin without plugin.toml makes Dokku print a panic on stderr beside a usable list: only rows are read. */
export function readList(outcome: Outcome): Plugin[] {
  return linesOf(outcome.stdout).flatMap((line) => {
    const [before, name = '', version = '', state] = line.split(/ +/);
    const isRow = before === '' && (state === 'enabled' || state === 'disabled');
    return isRow ? [{ name, version, enabled: state === 'enabled' }] : [];
  });
}

/**
 * Root only, one a server at a time: it runs the install step of every plugin. Fails where the plugin is installed, so
 * ask `list` first. `url` is one of the console's own list, never a user's.
 */
export function install(url: `https://${string}.git`, name: string): Command {
  return dokku('plugin:install', url, name);
}
