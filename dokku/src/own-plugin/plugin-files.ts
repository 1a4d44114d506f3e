import { readFileSync } from 'node:fs';
import { pluginName } from '../names/plugin-name.ts';

const paths = [
  'plugin.toml',
  'functions',
  'service-functions',
  'count-functions',
  'dump-functions',
  'restore-functions',
  'test-functions',
  'state-functions',
  'subcommands/database',
  'subcommands/databases',
  'subcommands/dump',
  'subcommands/dump-delete',
  'subcommands/dump-read',
  'subcommands/dump-write',
  'subcommands/dumps',
  'subcommands/readme',
  'subcommands/restore',
  'subcommands/restore-test',
  'subcommands/state',
  'subcommands/states',
  'subcommands/storage',
] as const;

const files = paths.map((path) => ({
  path,
  text: readFileSync(new URL(`../../plugin/${path}`, import.meta.url), 'utf8'),
  /** Dokku starts a subcommand only if it may be executed. */
  executable: path.startsWith('subcommands/'),
}));

/** Homeport's own Dokku plugin. The console reads its files when it starts, as it reads its migrations. */
export const pluginFiles = {
  name: pluginName,
  folder: `/var/lib/dokku/plugins/available/${pluginName}`,
  version: versionIn(files[0]?.text ?? ''),
  files,
};

function versionIn(toml: string): string {
  const found = /^version = "([0-9.]+)"$/m.exec(toml);
  if (!found?.[1]) throw new Error('plugin.toml names no version.');
  return found[1];
}
