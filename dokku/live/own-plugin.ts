import { deepEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDokkuAtLeast } from '@homeport/contract/servers/dokku-versions';
import * as dokku from '../src/index.ts';
import { done, type LiveCheck, type LiveHost, type LiveStage } from './check.ts';
import { copyFolder, digestFolder, moveFolder, removeFolder } from './live-commands.ts';
import { skip } from './skip.ts';

const { name } = dokku.pluginFiles;
const rights = { needsRoot: true };

/** Dokku’s folder of plugins on a real host. */
export const pluginsFolder = '/var/lib/dokku/plugins';

/** What a host had of Homeport’s plugin before the checks. */
export type FoundPlugin = { readonly enabled: boolean; readonly version: string; readonly digest: string };

/** Null where the host has no plugin of this name. @throws Error where another plugin has its name */
export async function findPlugin(host: LiveHost, plugins: string): Promise<FoundPlugin | null> {
  const row = dokku.plugin
    .readList(done(await host.run(dokku.plugin.list())))
    .find((each) => each.name === name);
  if (!row) return null;
  const own = await host.run(dokku.placement.check(plugins, rights));
  if (own.exitCode !== 0)
    throw new Error(`The host has a plugin ${name} that is not Homeport’s: nothing was touched.`);
  const { stdout } = done(await host.run(digestFolder(`${plugins}/available/${name}`)));
  return { enabled: row.enabled, version: row.version, digest: stdout.trim() };
}

/**
 * Takes the plugin out, runs `without`, installs the plugin of this source tree as an installation does, runs `withPlugin`, and
 * puts back what was there, also after a failure.
 */
export async function inBothWays(
  host: LiveHost,
  plugins: string,
  { without, withPlugin }: { without: () => Promise<void>; withPlugin: () => Promise<void> },
): Promise<void> {
  const place = `${plugins}/available/${name}`;
  const kept = `${plugins}/available/.${name}.before-checks`;
  const found = await findPlugin(host, plugins);
  const enabled = async () =>
    dokku.plugin
      .readList(done(await host.run(dokku.plugin.list())))
      .some((each) => each.name === name && each.enabled);
  if (found) done(await host.run(copyFolder(place, kept)));
  try {
    if (found?.enabled) done(await host.run(dokku.plugin.disable(name)));
    await without();
    done(await host.run(dokku.placement.write(plugins, rights)));
    done(await host.run(dokku.plugin.enable(name)));
    await withPlugin();
  } finally {
    if (await enabled()) done(await host.run(dokku.plugin.disable(name)));
    done(await host.run(dokku.placement.remove(plugins, rights)));
    if (found) {
      done(await host.run(moveFolder(kept, place)));
      if (found.enabled) done(await host.run(dokku.plugin.enable(name)));
    }
    done(await host.run(removeFolder(kept)));
  }
  deepEqual(await findPlugin(host, plugins), found);
}

/** Without the plugin, the console asks Dokku’s own reports. Each command of the plugin has to be recognised as absent for that. */
export const withoutPluginChecks: readonly LiveCheck[] = [
  {
    name: 'without Homeport’s plugin each of its commands is recognised as absent',
    run: async ({ host, app, database }) => {
      const dump = dokku.dumps.dumpId(randomUUID());
      for (const command of [
        dokku.homeport.state(app),
        dokku.homeport.states(),
        dokku.homeport.readme(app),
        dokku.ownChecks.ownChecks(app),
        dokku.sites.write(app, [{ field: 'hsts', to: null }]),
        dokku.homeport.storage(app),
        dokku.homeport.databaseState('postgres', database),
        dokku.homeport.databaseStates(),
        dokku.deployKeys.remove(app),
        dokku.dumps.list('postgres', database),
        dokku.dumps.make('postgres', database, dump, 'made'),
        dokku.schedules.read('postgres', database),
        dokku.schedules.remove('postgres', database),
      ]) {
        const ran = await host.run(command);
        ok(dokku.homeport.isAbsent(ran), `${command.words.join(' ')}: ${ran.stderr}`);
      }
    },
  },
];

/** The stage itself, on a host with the plugin. */
export function needPlugin(stage: LiveStage): LiveStage {
  return stage.plugins.has(dokku.pluginFiles.name) ? stage : skip('Homeport’s own plugin is not on the host');
}

/** Whether the host’s Dokku is at least this version. */
export async function isAtLeast(host: LiveHost, floor: string): Promise<boolean> {
  const version = dokku.probe.readVersion(done(await host.run(dokku.probe.version())));
  return version !== null && isDokkuAtLeast(version, floor);
}
