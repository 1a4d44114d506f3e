import { type AppName, acl, sshKeyName } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { Run } from '../../remote/run-command.ts';

type Change = { add: readonly string[]; remove: readonly string[]; wanted: readonly string[] };

/**
 * Adds names and then removes others: an empty list opens the app to every key of the server. The machine may be linked by other people,
 * whose work has a lane of its own. So each removal looks first whether a wanted name is left, and an empty list is filled again.
 */
export async function changeList(run: Run, app: AppName, { add, remove, wanted }: Change): Promise<void> {
  const put = async (names: readonly string[]) => {
    for (const name of names) await run(acl.add(app, sshKeyName(name)), { accept: [0, 2] });
  };
  const read = async () => acl.readList(await run(acl.list(app), { quiet: true }));
  await put(add);
  for (const name of remove) {
    const listed = await read();
    if (!listed.some((each) => each !== name && wanted.includes(each)))
      throw new ProblemError(
        'conflict',
        `Somebody else changes the list at the same time. ${name} stays on it.`,
        { recovery: 'Look at the list again, and change it anew.' },
      );
    await run(acl.remove(app, sshKeyName(name)));
  }
  if (remove.length === 0 || (await read()).length > 0) return;
  await put(wanted);
  throw new ProblemError(
    'conflict',
    'Somebody else emptied the list at the same time, so for a moment every key of the server could push. Your choice is on the list now.',
    { recovery: 'Look at the list again.' },
  );
}
