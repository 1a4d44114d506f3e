import { deepEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import * as dokku from '../src/index.ts';
import type { LiveCheck, LiveHost, LiveNames, LiveStage } from './check.ts';
import { done } from './check.ts';
import { databaseChecks, typesOn } from './database-checks.ts';
import { deployChecks } from './deploy-checks.ts';
import { listStorageEntries } from './live-commands.ts';
import { findPlugin, inBothWays, pluginsFolder, withoutPluginChecks } from './own-plugin.ts';
import { serverChecks } from './server-checks.ts';
import { settingsChecks } from './settings-checks.ts';
import { Skipped } from './skip.ts';

/** Every command that the console uses, tried against one host in this order. */
export const liveChecks: readonly LiveCheck[] = [
  ...serverChecks,
  ...settingsChecks,
  ...databaseChecks,
  ...deployChecks,
];

/** `skipped` says why the check proved nothing on this host. */
export type CheckResult = {
  readonly name: string;
  readonly error: Error | null;
  readonly skipped: string | null;
};

/** Random names, which are very likely free. `runChecks` verifies that they are. */
export function freshNames(): LiveNames {
  const name = `live-${randomBytes(5).toString('hex')}`;
  return {
    app: dokku.appName(name),
    key: dokku.sshKeyName(name),
    storage: dokku.storage.storageNameSchema.parse(name),
    database: dokku.serviceName(name),
  };
}

/**
 * Runs the checks one after the other, also after a failed one, and reports each as it ends. Whatever happens, it removes
 * everything that the checks made. The last result says whether the host is as it was.
 *
 * @throws Error before anything is made, when a name is taken or the host does not answer.
 */
export async function runChecks(
  host: LiveHost,
  names: LiveNames,
  report: (result: CheckResult) => void,
  checks: readonly LiveCheck[] = liveChecks,
): Promise<void> {
  const plugins = dokku.plugin.readList(done(await host.run(dokku.plugin.list())));
  const enabled = plugins.filter((plugin) => plugin.enabled).map((plugin) => plugin.name);
  const stage: LiveStage = { ...names, host, plugins: new Set(enabled) };
  const types = typesOn(stage.plugins);
  const before = await inventory(host, types);
  if (before.databases.some(({ name }) => name === names.database))
    throw new Error(`There is a database ${names.database}: nothing was touched.`);
  if (before.apps.includes(names.app)) throw new Error(`There is an app ${names.app}: nothing was touched.`);
  if (before.keys.includes(names.key)) throw new Error(`There is a key ${names.key}: nothing was touched.`);
  if (before.storage.some((entry) => isOwn(entry, names)))
    throw new Error(`There is a storage entry ${names.storage}: nothing was touched.`);
  try {
    for (const check of checks) report(await result(check.name, () => check.run(stage)));
  } finally {
    report(
      await result('the host is as it was before', async () => {
        await cleanUp(host, names, types);
        deepEqual(await inventory(host, types), before);
      }),
    );
  }
}

/**
 * Runs the whole suite as on a server that is being linked: first without Homeport's plugin, then with the plugin of this source
 * tree. What the host had of the plugin is put back.
 *
 * @throws Error before anything is made, as `runChecks`, or where another plugin is called like Homeport's
 */
export async function runLive(
  host: LiveHost,
  names: LiveNames,
  report: (result: CheckResult) => void,
  { plugins = pluginsFolder, checks = liveChecks }: { plugins?: string; checks?: readonly LiveCheck[] } = {},
): Promise<void> {
  await findPlugin(host, plugins);
  report(
    await result('Homeport’s plugin is as it was before', () =>
      inBothWays(host, plugins, {
        without: () => runChecks(host, names, report, withoutPluginChecks),
        withPlugin: () => runChecks(host, names, report, checks),
      }),
    ),
  );
}

async function result(name: string, run: () => Promise<void>): Promise<CheckResult> {
  try {
    await run();
    return { name, error: null, skipped: null };
  } catch (error) {
    if (error instanceof Skipped) return { name, error: null, skipped: error.message };
    return { name, error: error instanceof Error ? error : new Error(String(error)), skipped: null };
  }
}

const entriesSchema = z.array(z.object({ name: z.string(), host_path: z.string().optional() }));
type Entry = z.output<typeof entriesSchema>[number];
type Service = { type: DatabaseTypeName; name: string };
type Inventory = { apps: string[]; keys: string[]; storage: Entry[]; databases: Service[] };

/** Whether the checks made this entry. Dokku gives an entry that is mounted by its path a name of its own. */
const isOwn = (entry: Entry, { storage }: LiveNames) =>
  entry.name === storage || entry.host_path === dokku.storage.folderOf(storage);

/** `types`: those of the databases that the checks make. */
async function inventory(host: LiveHost, types: readonly DatabaseTypeName[]): Promise<Inventory> {
  const keys = dokku.sshKeys.readList(await host.run(dokku.sshKeys.list()));
  if (keys === null) throw new Error('The keys of the host could not be listed.');
  const listed = await host.run(listStorageEntries());
  // Dokku before 0.38 has no entries.
  const entries = dokku.failureOf(listed)?.code === 'command_unknown' ? '[]' : done(listed).stdout;
  return {
    apps: dokku.apps.readList(done(await host.run(dokku.apps.list()))).sort(),
    keys: keys.map((key) => key.name).sort(),
    storage: entriesSchema.parse(JSON.parse(entries)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    databases: await servicesOf(host, types),
  };
}

async function servicesOf(host: LiveHost, types: readonly DatabaseTypeName[]): Promise<Service[]> {
  const services: Service[] = [];
  for (const type of types) {
    const names = dokku.service.readList(done(await host.run(dokku.service.list(type))));
    services.push(...names.sort().map((name) => ({ type, name })));
  }
  return services;
}

async function cleanUp(host: LiveHost, names: LiveNames, types: readonly DatabaseTypeName[]): Promise<void> {
  const { apps, keys, storage, databases } = await inventory(host, types);
  const { database, app } = names;
  for (const { type } of databases.filter(({ name }) => name === database)) {
    if (apps.includes(app)) await host.run(dokku.service.unlink(type, database, app));
    done(await host.run(dokku.service.unexpose(type, database)));
    done(await host.run(dokku.service.destroy(type, database)));
  }
  if (apps.includes(names.app)) done(await host.run(dokku.apps.destroy(names.app)));
  if (keys.includes(names.key)) done(await host.run(dokku.sshKeys.remove(names.key)));
  for (const entry of storage.filter((each) => isOwn(each, names)))
    done(await host.run(dokku.storage.destroyEntry(dokku.storage.storageNameSchema.parse(entry.name))));
  // The folder outlives its entry.
  done(await host.run(dokku.storageFolder.removeFolder(names.storage)));
}
