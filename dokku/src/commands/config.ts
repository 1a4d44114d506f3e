import { z } from 'zod';
import { type Command, dokku, type Outcome, withStdin } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { EnvKey } from '../names/env-key.ts';
import { readJson } from '../output.ts';

/** The answer holds secrets: never log it. */
export function exportAll(app: AppName): Command {
  return dokku('config:export', '--format', 'json', app);
}

export function readExport(outcome: Outcome): Record<string, string> {
  return readJson('config:export', outcome.stdout, z.record(z.string(), z.string()));
}

/**
 * Adds to the existing variables. Values go over stdin, and `--quiet` keeps Dokku from printing them. A restart by this command
 * would end with 0 even if it fails, so the command does not restart and `ps.restart` follows as a step of its own. Dokku 0.37 or
 * later.
 */
export function importAll(app: AppName, values: ReadonlyMap<EnvKey, string>): Command {
  const command = dokku('--quiet', 'config:import', '--format', 'json', '--no-restart', app, '-');
  return withStdin(command, JSON.stringify(Object.fromEntries(values)));
}

export function unset(app: AppName, keys: readonly EnvKey[]): Command {
  return dokku('config:unset', '--no-restart', app, ...keys);
}
