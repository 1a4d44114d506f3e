import { appName, processType, ps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { isStopped, wantedNow, wantedOf } from './find-types.ts';

const restartInput = onAppInput.extend({ type: z.string() });
type RestartInput = z.output<typeof restartInput>;

/** Restarts the processes of one type; the others run on. */
export function restartProcess(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<RestartInput>({
    kind: 'app.restart-process',
    input: restartInput,
    title: ({ type }) => `Restart ${type}`,
    steps: ({ type }) => [
      { key: 'restart', title: `Restart ${type}`, run: restart },
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(deps, context);
          await context.toast('ok', `${type} restarted`);
          return undefined;
        },
      },
    ],
    commands: (input) => [{ work: 'apps', command: restartOf(input), onlyIf: null }],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(deps, context),
  });
}

async function restart(context: StepContext<RestartInput>): Promise<undefined> {
  const app = appName(context.input.longname);
  const type = processType(context.input.type);
  const [stopped, wanted] = await Promise.all([isStopped(context, app), wantedNow(context, app)]);
  if (stopped) throw new ProblemError('conflict', 'The app is stopped. Start it: that starts every process.');
  if (wantedOf(wanted, type) === 0)
    throw new ProblemError('conflict', `No process of ${type} is wanted, so none can be restarted.`);
  await context.run('apps', restartOf(context.input), { deadlineMs: 30 * 60_000 });
}

const restartOf = ({ longname, type }: RestartInput) => ps.restartType(appName(longname), processType(type));
