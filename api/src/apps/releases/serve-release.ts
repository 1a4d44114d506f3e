import { releaseSchema } from '@homeport/contract/apps/releases/schema';
import { appName, failureOf, homeport, releases } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import type { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { newestDeploy } from '../commits/running-commit.ts';
import { appMissing } from '../state/ask-state.ts';

const goBackInput = onAppInput.extend(releaseSchema.shape);
export type ReleaseInput = z.output<typeof goBackInput>;
type Context = StepContext<ReleaseInput>;

/**
 * Lets a release that the server keeps serve again. The plugin does that on the server to one of its two ends, also when the connection
 * is lost: so the step asks first, and a repeated step finds the release serving, or what served before.
 */
export function serveRelease(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<ReleaseInput>({
    kind: 'app.release-serve',
    input: goBackInput,
    title: () => 'Go back to a kept version',
    steps: () => [
      { key: 'ask', title: 'Ask the server what it keeps', run: ask },
      { key: 'go-back', title: 'Start the kept version', run: letServe },
      {
        key: 'compare',
        title: 'Compare what runs with the kept version',
        run: async (context) => {
          await readAgain(deps, context);
          const outcome = await compare(context);
          if (outcome?.state !== 'warned') await context.toast('ok', 'The app went back');
          return outcome;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(deps, context),
  });
}

const unchanged = 'Nothing was changed.';

async function ask(context: Context): Promise<StepOutcome> {
  const app = await appNow(context);
  const chosen = chosenOf(context, app);
  // What a cut-off going-back left is put back for a stopped app as well.
  if (app.processes.stopped && app.releases.cutOff === null)
    throw new ProblemError('conflict', `Start the app first: going back would start it. ${unchanged}`);
  await context.remember({ newest: newestDeploy(app) });
  return { note: chosen.commit === null ? 'The server keeps it.' : `Commit ${chosen.commit.slice(0, 7)}.` };
}

async function letServe(context: Context): Promise<StepOutcome | undefined> {
  const app = await appNow(context);
  const chosen = chosenOf(context, app);
  const { serving, cutOff, branch } = app.releases;
  const stands = chosen.commit === null || chosen.commit === branch;
  if (serving === chosen.id && cutOff === null && stands)
    return { state: 'skipped', note: 'The app runs this version already.' };
  // A try may come an hour after the person asked, or days later by hand.
  if (serving !== chosen.id && newestDeploy(app) !== context.facts.newest)
    throw new ProblemError(
      'conflict',
      `Another deploy succeeded since this began. ${unchanged} Go back again from the history if you still want to.`,
    );
  const command = releases.goBack(appName(context.input.longname), chosen.id);
  const ran = await context.run('apps', command, { accept: 'any', deadlineMs: 30 * 60_000 });
  if (ran.exitCode === 0) return undefined;
  const failure = failureOf(ran);
  if (failure?.code === 'deploy_locked')
    throw new ProblemError('conflict', `${failureSentence(failure)} ${unchanged}`);
  const { releases: after, processes } = await appNow(context);
  if (after.cutOff === null && processes.stopped)
    throw new ProblemError(
      'conflict',
      'What the earlier going-back left is put back. Start the app, then go back again.',
    );
  throw new ProblemError(
    'remote_failed',
    after.cutOff === null
      ? 'The kept version does not serve: the version before serves on. The log says why.'
      : 'The kept version does not serve, and the version before could not be put back whole.',
    after.cutOff === null
      ? {}
      : { recovery: 'Go back again, or rebuild the app: both begin with what was left.' },
  );
}

/** A server that says "done" is not believed: the containers and their commit are what counts. */
async function compare(context: Context): Promise<StepOutcome | undefined> {
  const app = await appNow(context);
  const { kept, serving, branch } = app.releases;
  const wanted = kept.find(({ id }) => id === context.input.release);
  if (serving !== context.input.release || !wanted)
    throw new ProblemError('remote_failed', 'The app does not run the kept version in all its processes.', {
      recovery: 'Look at the processes of the app: they name what each of them runs.',
    });
  if (wanted.commit !== null && branch !== wanted.commit)
    return {
      state: 'warned',
      note: 'The version runs, but Dokku’s deploy branch was not moved: a rebuild brings back another version.',
    };
  const other = [...app.revisions.values()].find((sha) => wanted.commit !== null && sha !== wanted.commit);
  return other === undefined
    ? { note: 'Databases, volumes and variables are those of now.' }
    : {
        state: 'warned',
        note: `The version runs, but its variable GIT_REV names another commit (${other.slice(0, 7)}).`,
      };
}

function chosenOf({ input }: Context, { releases: { kept, known } }: homeport.ReportedApp) {
  if (!known)
    throw new ProblemError(
      'remote_failed',
      `Docker does not say which versions the server keeps. ${unchanged}`,
    );
  const chosen = kept.find(({ id }) => id === input.release);
  if (chosen) return chosen;
  throw new ProblemError('conflict', `The server does not keep this version any more. ${unchanged}`, {
    recovery: 'Build its commit anew: the history offers it.',
  });
}

async function appNow(context: Context): Promise<homeport.ReportedApp> {
  const ran = await context.run('apps', homeport.state(appName(context.input.longname)), {
    accept: (outcome) => outcome.exitCode === 20 || homeport.isAbsent(outcome),
    quiet: true,
  });
  if (ran.exitCode === 20) throw appMissing();
  const app = ran.exitCode === 0 ? homeport.readState(ran) : null;
  if (!app) throw withoutPlugin();
  return app;
}

export const withoutPlugin = () =>
  new ProblemError('conflict', 'The server has no plugin of Homeport’s that keeps versions.', {
    recovery: 'Install or update the plugin in the settings of the server.',
  });
