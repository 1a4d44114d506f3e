import { readFileSync } from 'node:fs';
import { pluginName } from '../names/plugin-name.ts';

const paths = [
  'plugin.toml',
  'cron-entries',
  'post-extract',
  'post-deploy',
  'post-delete',
  'post-app-rename-setup',
  'functions',
  'service-functions',
  'commit-functions',
  'count-functions',
  'dump-functions',
  'key-functions',
  'release-functions',
  'schedule-functions',
  'site-functions',
  'restore-functions',
  'test-functions',
  'rollback-work',
  'site-work',
  'state-functions',
  'subcommands/backup',
  'subcommands/checks',
  'subcommands/containers-delete',
  'subcommands/database',
  'subcommands/databases',
  'subcommands/deploy-key-delete',
  'subcommands/deploy-key-write',
  'subcommands/dump',
  'subcommands/dump-delete',
  'subcommands/dump-read',
  'subcommands/dump-write',
  'subcommands/dumps',
  'subcommands/readme',
  'subcommands/release-delete',
  'subcommands/restore',
  'subcommands/schedule',
  'subcommands/schedule-delete',
  'subcommands/schedule-write',
  'subcommands/schedules-withdraw',
  'subcommands/restore-test',
  'subcommands/rollback',
  'subcommands/site-write',
  'subcommands/state',
  'subcommands/states',
  'subcommands/storage',
  'subcommands/target-check',
] as const;

const triggers: ReadonlySet<string> = new Set([
  'cron-entries',
  'post-extract',
  'post-deploy',
  'post-delete',
  'post-app-rename-setup',
]);

const files = paths.map((path) => ({
  path,
  text: readFileSync(new URL(`../../plugin/${path}`, import.meta.url), 'utf8'),
  /** Dokku starts a subcommand and a trigger only if they may be executed. */
  executable: triggers.has(path) || path.startsWith('subcommands/'),
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
