import { appName, apps, failureOf, git, type homeport } from '@homeport/dokku';
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
import { deadlineMs } from './deploy-ref.ts';
import { askPlugin, commitsInContainers, deployedCommits, runningCommit } from './running-commit.ts';

const goBackInput = onAppInput.extend({ sha: git.commitSchema });
type Context = StepContext<z.output<typeof goBackInput>>;

/**
 * Builds the commit of an earlier successful deploy anew and deploys it, from the app's own repository: nothing is fetched from elsewhere.
 * Dokku's deploy branch moves with it, so that a rebuild does not bring the newer version back.
 */
export function goBack(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<z.output<typeof goBackInput>>({
    kind: 'app.go-back',
    input: goBackInput,
    title: ({ sha }) => `Go back to ${short(sha)}`,
    steps: ({ sha }) => [
      { key: 'ask', title: 'Ask the server what runs now', run: ask },
      { key: 'deploy', title: `Build ${short(sha)} and deploy it`, run: deploy },
      {
        key: 'compare',
        title: `Compare what runs with ${short(sha)}`,
        run: async (context) => {
          await readAgain(deps, context);
          await compare(context);
          await context.toast('ok', `${short(sha)} runs again`);
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(deps, context),
  });
}

/** Only a commit that the server lists is built: the page showed it, with its message and author. */
async function ask(context: Context): Promise<StepOutcome> {
  const app = await askPlugin(context);
  const { sha } = context.input;
  if (!deployedCommits(app).some((found) => found?.commit === sha))
    throw new ProblemError(
      'conflict',
      `The server lists no successful deploy of ${short(sha)} by now. Nothing was changed.`,
    );
  // A deploy that runs would find the branch moved, and its push would be refused after it was deployed.
  if (app.builds?.[0]?.status === 'running')
    throw new ProblemError('conflict', `${failureSentence({ code: 'deploy_locked' })} Nothing was changed.`);
  await context.remember({ before: runningCommit(app) });
  return { note: whatRuns(app) };
}

async function deploy(context: Context): Promise<StepOutcome | undefined> {
  const { sha } = context.input;
  const app = appName(context.input.longname);
  if (context.facts.before !== sha && runningCommit(await askPlugin(context)) === sha)
    return { note: 'An earlier try deployed this commit already.' };
  const { folder } = apps.readReport(await context.run('apps', apps.report(app), { quiet: true }));
  const command = git.syncOwnAndBuild(app, git.ownRepository(app, folder), sha);
  const ran = await context.run('apps', command, { accept: 'any', deadlineMs });
  const failure = failureOf(ran);
  if (failure?.code === 'commit_missing')
    throw new ProblemError(
      'conflict',
      `The app’s repository does not have ${short(sha)} any more: git removes commits that no branch leads to. Nothing was changed.`,
    );
  if (failure) {
    // 128 is git's own end, before it moved the branch.
    const branch =
      ran.exitCode === 128 || !ran.stdout.includes('Fetching remote code')
        ? 'Nothing was built.'
        : `Dokku’s deploy branch stands at ${short(sha)} now: a rebuild builds that commit, and the next push moves the branch on.`;
    throw new ProblemError(
      'remote_failed',
      `${failureSentence(failure)} ${whatRuns(await askPlugin(context))} ${branch}`,
    );
  }
  return undefined;
}

/** An exit code does not tell which version serves. */
async function compare(context: Context): Promise<void> {
  const app = await askPlugin(context);
  if (runningCommit(app) === context.input.sha) return;
  throw new ProblemError(
    'remote_failed',
    `Dokku deployed ${short(context.input.sha)}, and the app does not run it as a whole. ${whatRuns(app)}`,
  );
}

function whatRuns(app: homeport.ReportedApp): string {
  const running = runningCommit(app);
  if (running !== null) return `The app runs ${short(running)}.`;
  const known = commitsInContainers(app).flatMap((sha) => (sha === null ? [] : short(sha)));
  if (known.length === 0) return 'The server does not say which commit the app runs.';
  return `The app’s containers say that they run ${known.join(' and ')}.`;
}

/** As git shortens a commit's name. */
const short = (sha: string) => sha.slice(0, 7);
