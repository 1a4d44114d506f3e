import { canBeStopped } from '@homeport/contract/apps/one-off/facts';
import { runContainerSchema } from '@homeport/contract/apps/one-off/schema';
import { appName, run } from '@homeport/dokku';
import type { z } from 'zod';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { onAppInput } from '../changes/on-app.ts';

const stopInput = onAppInput.extend({ container: runContainerSchema });
type StopInput = z.output<typeof stopInput>;

/** The longest time to stop that an app may have, and some room. */
const deadlineMs = 11 * 60_000;

/** Ends a one-off command. Dokku would stop any container of that name, a database too, so the server lists the app's own first. */
export function stopCommand(): AnyOperationDefinition {
  return defineOperation<StopInput>({
    kind: 'app.run-stop',
    input: stopInput,
    title: ({ container }) => `Stop ${container}`,
    steps: ({ container }) => [{ key: 'stop', title: `Stop ${container}`, run: stop }],
  });
}

async function stop(context: StepContext<StopInput>): Promise<StepOutcome | undefined> {
  const { longname, container } = context.input;
  const app = appName(longname);
  const listed = run.readList(await context.run('apps', run.list(app), { quiet: true }), app);
  const found = listed.find((command) => command.container === container);
  if (!found || !canBeStopped(found.state))
    return { state: 'skipped', note: 'The command has ended already.' };
  await context.run('apps', run.stop(app, found.container), { deadlineMs });
  await context.toast('ok', `${container} stopped`);
  return undefined;
}
