import type { Mount, Readme } from '@homeport/contract/apps/settings-schema';
import { mountsPerApp } from '@homeport/contract/limits';
import { appName, homeport, storage, storageFolder } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { keepReadings, type Told } from '../../records/reading-record.ts';
import { forgetPlugin } from '../../records/server-record.ts';
import type { Ran } from '../../remote/run-command.ts';
import type { ReachedApp } from '../reach-app.ts';
import { askPresent } from './ask-state.ts';
import { readDeploys, readReadme, readResources, readStorage, readSystem } from './read-details.ts';
import { readProcesses } from './read-processes.ts';
import { readmeOf } from './readme-of.ts';

/** Reads one part of an app from its server and keeps it. */
export type PartReaders = {
  [P in Exclude<keyof Told, 'pushers'>]: (reached: ReachedApp) => Promise<Told[P]>;
};

/**
 * The readers of all parts. Homeport’s plugin tells deploys, resources, system and processes in the same start as the
 * app’s state. Without the plugin each part has cheap commands of its own.
 */
export function partReaders(deps: { store: Pick<Store, 'read' | 'db' | 'pool'> }): PartReaders {
  const { db } = deps.store;
  const withState = async (reached: ReachedApp): Promise<Partial<Told>> => {
    if (reached.app.server_plugin === null) return {};
    const { told } = await askPresent(deps, reached);
    await keep(reached, told);
    return told;
  };
  const keep = ({ owner, app }: ReachedApp, told: Partial<Told>) => keepReadings(db, owner, app.id, told);
  /** Null without the plugin, and where it turns out to be gone. */
  const askPlugin = async (reached: ReachedApp, command: typeof homeport.readme): Promise<Ran | null> => {
    const { app, owner, run } = reached;
    if (app.server_plugin === null) return null;
    const options = { accept: homeport.isAbsent, quiet: true, maxOutputBytes: 256 * 1024 };
    const ran = await run(command(appName(app.longname)), options);
    if (ran.exitCode === 0) return ran;
    await forgetPlugin(db, owner, app.server_id);
    return null;
  };

  return {
    async deploys(reached) {
      const told = (await withState(reached)).deploys;
      if (told) return told;
      const deploys = await readDeploys(reached);
      await keep(reached, { deploys });
      return deploys;
    },
    async resources(reached) {
      const told = (await withState(reached)).resources;
      if (told) return told;
      const resources = await readResources(reached);
      await keep(reached, { resources });
      return resources;
    },
    async system(reached) {
      const told = (await withState(reached)).system;
      if (told) return told;
      const system = await readSystem(reached);
      await keep(reached, { system });
      return system;
    },
    async processes(reached) {
      const told = (await withState(reached)).processes;
      if (told) return told;
      const processes = await readProcesses(reached);
      await keep(reached, { processes });
      return processes;
    },
    async storage(reached) {
      const ran = await askPlugin(reached, homeport.storage);
      const mounts = (ran && (await mountsOf(ran, reached))) ?? (await readStorage(reached));
      await keep(reached, { storage: mounts });
      return mounts;
    },
    async readme(reached) {
      const ran = await askPlugin(reached, homeport.readme);
      const readme = ran ? readmeIn(ran, reached) : await readReadme(reached);
      // Another login may read it; nothing was learned of the readme itself.
      if (readme.kind !== 'needs_root') await keep(reached, { readme });
      return readme;
    },
  };
}

function readmeIn(ran: Ran, { app }: ReachedApp): Readme {
  const { account } = ran.record;
  const text = homeport.readReadme(ran, appName(app.longname));
  return text === null ? { kind: 'none', account } : readmeOf(text, account);
}

/** The user dokku may not read every file of every app. What it could not measure, root may. */
async function mountsOf(ran: Ran, { app, runAsRoot }: ReachedApp): Promise<Mount[] | null> {
  const mounts = homeport.readStorage(ran, appName(app.longname))?.slice(0, mountsPerApp) ?? null;
  const measuredAt = Date.now();
  return (
    mounts &&
    Promise.all(
      mounts.map(async ({ hostPath, containerPath, usedBytes }) => ({
        hostPath,
        containerPath,
        removable: storageFolder.removableName(hostPath) !== null,
        usedBytes: usedBytes ?? (await measureAsRoot(hostPath)),
        measuredAt,
      })),
    )
  );

  async function measureAsRoot(folder: string): Promise<number | null> {
    if (!runAsRoot || !folder.startsWith('/')) return null;
    const options = { accept: 'any', deadlineMs: 20_000 } as const;
    return storage.readUse(await runAsRoot(storage.use(folder, 'root'), options));
  }
}
