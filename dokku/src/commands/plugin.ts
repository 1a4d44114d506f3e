import { type Command, dokku, type Outcome } from '../command.ts';
import { linesOf } from '../output.ts';

/** Any user may run this. The answer is text, because every version has the text form. */
export function list(): Command {
  return dokku('plugin:list');
}

export type Plugin = { readonly name: string; readonly version: string; readonly enabled: boolean };

/** Reads rows only, because an old plugin without plugin.toml makes Dokku print a panic beside a usable list. */
export function readList(outcome: Outcome): Plugin[] {
  return linesOf(outcome.stdout).flatMap((line) => {
    const [before, name = '', version = '', state] = line.split(/ +/);
    const isRow = before === '' && (state === 'enabled' || state === 'disabled');
    return isRow ? [{ name, version, enabled: state === 'enabled' }] : [];
  });
}

/**
 * Root only. It runs the install step of every plugin, so run one at a time on a server. Fails when the plugin is installed, so
 * ask `list` first. `url` comes from the console's own list, never from a user.
 */
export function install(url: `https://${string}.git`, name: string): Command {
  return dokku('plugin:install', url, name);
}

/** Root only. Takes 5 s. Fails when the plugin is enabled already, so ask `list` first. */
export function enable(name: string): Command {
  return dokku('plugin:enable', name);
}

/** Root only. Fails when the plugin is disabled already, so ask `list` first. */
export function disable(name: string): Command {
  return dokku('plugin:disable', name);
}
