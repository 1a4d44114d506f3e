import { messages } from '@homeport/contract/messages';
import { type AppName, appName, type Command, failureOf, storage } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { onAppInput } from './on-app.ts';
import { restartIfDeployed } from './restart-if-deployed.ts';

const storageInput = onAppInput.extend({
  containerPath: z.string(),
  sharedWith: z.string().optional(),
});
type StorageInput = z.output<typeof storageInput>;

/**
 * A folder that outlives deploys, mounted at the given path of the app. The mount takes effect after the
 * restart.
 */
export function addStorage(): AnyOperationDefinition {
  return defineOperation<StorageInput>({
    kind: 'app.storage',
    input: storageInput,
    title: () => 'Adding storage',
    steps: () => [
      { key: 'mount', title: 'Create and mount the folder', run: createAndMount },
      {
        key: 'restart',
        title: 'Restart the app',
        run: async (context) => {
          const skipped = await restartIfDeployed(context);
          await context.toast('ok', messages.storageAdded);
          return skipped;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

/**
 * Reads the app’s mounts first: Dokku refuses to mount a folder at the same path twice, and two folders at
 * one path keep the app from starting. Each path gets a folder of its own, unless the person chose a folder
 * that the app already has.
 */
async function createAndMount(context: StepContext<StorageInput>): Promise<StepOutcome | undefined> {
  const path = storage.containerPathSchema.safeParse(context.input.containerPath);
  if (!path.success) throw new ProblemError('invalid_input', 'Enter an absolute path such as /app/storage.');
  const app = appName(context.input.longname);
  const mounts = storage.readList(await context.run('apps', storage.list(app), { quiet: true }));
  const there = mounts.find(({ containerPath }) => containerPath === path.data);
  const { sharedWith } = context.input;
  const [first, further] = [storage.nameFor(app), storage.nameForPath(app, path.data)];
  const wanted = sharedWith === undefined ? [first, further].map(storage.folderOf) : [sharedWith];
  if (there && wanted.some((folder) => folder === there.hostPath))
    return { note: `${there.hostPath} is mounted at ${path.data} already.` };
  if (there) throw new ProblemError('conflict', `${there.hostPath} is mounted at ${path.data} already.`);
  if (sharedWith !== undefined) {
    const shared = mounts.find(({ hostPath }) => hostPath === sharedWith);
    if (!shared) throw new ProblemError('conflict', `The app no longer has the folder ${sharedWith}.`);
    await context.run('apps', mountAgain(app, shared, path.data));
    return undefined;
  }
  const firstIsTaken = mounts.some(({ hostPath }) => hostPath === storage.folderOf(first));
  await mountOwn(context, app, firstIsTaken ? further : first, path.data);
  return undefined;
}

function mountAgain(app: AppName, { name, hostPath }: storage.Mount, path: storage.ContainerPath): Command {
  const named = storage.storageNameSchema.safeParse(name);
  if (named.success) return storage.mount(app, named.data, path);
  const folder = storage.hostPathSchema.safeParse(hostPath);
  if (!folder.success)
    throw new ProblemError('invalid_input', `${hostPath} cannot be mounted a second time.`);
  return storage.mountFolder(app, folder.data, path);
}

/** Dokku before 0.38 has no named folders: its `create` fails as an unknown command and changes nothing. */
async function mountOwn(
  context: StepContext<StorageInput>,
  app: AppName,
  name: storage.StorageName,
  path: storage.ContainerPath,
): Promise<void> {
  const created = await context.run('apps', storage.create(name, 'herokuish'), {
    accept: (outcome) => failureOf(outcome)?.code === 'command_unknown',
  });
  if (created.exitCode === 0) {
    await context.run('apps', storage.mount(app, name, path));
    return;
  }
  context.note(
    'This Dokku is older than 0.38 and has no storage with names, so the folder is mounted by its path.',
  );
  await context.run('apps', storage.ensureFolder(name, 'herokuish'));
  await context.run('apps', storage.mountFolder(app, storage.folderOf(name), path));
}
