import { messages } from '@homeport/contract/messages';
import type { OperationKind } from '@homeport/contract/operations/facts';
import { type AppName, appName, type Command, failureOf, ps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { appMissing } from '../state/ask-state.ts';
import { readAppState } from '../state/read-state.ts';
import { recordAppState } from '../state/record-state.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { type OnApp, onAppInput } from './on-app.ts';

type Deps = Pick<Store, 'db' | 'pool'>;

type Context = StepContext<OnApp>;

type Control = {
  kind: OperationKind;
  title: string;
  step: string;
  command: (app: AppName) => Command;
  toast: string;
  deadlineMs: number;
};

const controls: readonly Control[] = [
  {
    kind: 'app.start',
    title: 'Start',
    step: 'Start the app',
    command: ps.start,
    toast: messages.appStarted,
    deadlineMs: 10 * 60_000,
  },
  {
    kind: 'app.stop',
    title: 'Stop',
    step: 'Stop the app',
    command: ps.stop,
    toast: messages.appStopped,
    deadlineMs: 5 * 60_000,
  },
  {
    kind: 'app.restart',
    title: 'Restart',
    step: 'Restart the app',
    command: ps.restart,
    toast: messages.appRestarted,
    deadlineMs: 10 * 60_000,
  },
  {
    kind: 'app.rebuild',
    title: 'Rebuild',
    step: 'Rebuild the app',
    command: ps.rebuild,
    toast: messages.appRebuilt,
    deadlineMs: 30 * 60_000,
  },
];

/**
 * Start, stop, restart and rebuild. Each runs one command and then reads the state again, because an exit
 * code does not tell the whole result.
 */
export function controlApp(deps: Deps): AnyOperationDefinition[] {
  return controls.map((control) => {
    const act = ({ longname }: OnApp) => control.command(appName(longname));
    return defineOperation<OnApp>({
      kind: control.kind,
      input: onAppInput,
      title: () => control.title,
      steps: () => [
        {
          key: 'act',
          title: control.step,
          run: async (context) => {
            const ran = await context.run('apps', act(context.input), {
              deadlineMs: control.deadlineMs,
            });
            // For an app that was never deployed, Dokku does nothing and exits with 0.
            const failure = failureOf(ran);
            if (failure) throw new ProblemError('conflict', failureSentence(failure));
            return undefined;
          },
        },
        {
          key: 'read',
          title: 'Read the app’s state',
          run: async (context) => {
            await readAgain(deps, context);
            await context.toast('ok', control.toast);
            return undefined;
          },
        },
      ],
      commands: (input) => [{ work: 'apps', command: act(input), onlyIf: null }],
      beforeRepeat: awaitLeftovers,
      onFailure: (context) => readAgain(deps, context),
    });
  });
}

/** Reads what the server tells of the app now, and keeps it. */
export async function readAgain(
  deps: Deps,
  context: Pick<Context, 'owner' | 'run' | 'input'>,
): Promise<void> {
  const row = await findApp({ owner: context.owner, db: deps.db }, context.input.appId);
  const state = await readAppState(
    (command, options) => context.run('apps', command, { ...options, quiet: true }),
    context.input.longname,
    { plugin: row.server_plugin },
  );
  await recordAppState(deps, context.owner, row, state);
  if (state.kind === 'missing') throw appMissing();
}
