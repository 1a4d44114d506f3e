import { messages } from '@homeport/contract/messages';
import { appName, failureOf, storage } from '@homeport/dokku';
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

const storageInput = onAppInput.extend({ containerPath: z.string() });
type StorageInput = z.output<typeof storageInput>;

/** One folder an app, mounted where it is asked for; in force after the restart. */
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
 * Looks first at what is mounted: by its path nothing can be mounted twice, and two folders at one place keep the app from
 * starting. Dokku before 0.38 has no folders with names: it says that it does not know the command, and does nothing.
 */
async function createAndMount(context: StepContext<StorageInput>): Promise<StepOutcome | undefined> {
  const path = storage.containerPathSchema.safeParse(context.input.containerPath);
  if (!path.success) throw new ProblemError('invalid_input', 'Enter an absolute path such as /app/storage.');
  const app = appName(context.input.longname);
  const name = storage.nameFor(app);
  const folder = storage.folderOf(name);
  const mounts = storage.readList(await context.run('apps', storage.list(app), { quiet: true }));
  const there = mounts.find(({ containerPath }) => containerPath === path.data);
  if (there?.hostPath === folder) return { note: `${folder} is mounted at ${path.data} already.` };
  if (there) throw new ProblemError('conflict', `${there.hostPath} is mounted at ${path.data} already.`);
  const created = await context.run('apps', storage.create(name, 'herokuish'), {
    accept: (outcome) => failureOf(outcome)?.code === 'command_unknown',
  });
  if (created.exitCode === 0) {
    await context.run('apps', storage.mount(app, name, path.data));
    return undefined;
  }
  context.note('This Dokku has no storage with names, as 0.38 does: the folder is mounted by its path.');
  await context.run('apps', storage.ensureFolder(name, 'herokuish'));
  await context.run('apps', storage.mountFolder(app, name, path.data));
  return undefined;
}
