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
import {
  askPlugin,
  commitsInContainers,
  deployedCommits,
  newestDeploy,
  runningCommit,
  runsAnImage,
} from './running-commit.ts';

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
  const app = await askPlugin(context, ' Nothing was changed.');
  const { sha } = context.input;
  if (runsAnImage(app))
    throw new ProblemError(
      'conflict',
      'The app runs from an image: deploy the earlier image instead. Nothing was changed.',
    );
  if (!deployedCommits(app).some((found) => found?.commit === sha))
    throw new ProblemError(
      'conflict',
      `The server lists no successful deploy of ${short(sha)} from git by now. Nothing was changed.`,
    );
  refuseRunningDeploy(app);
  await context.remember({ before: runningCommit(app), newest: newestDeploy(app) });
  return { note: whatRuns(app) };
}

/** A deploy that runs would find the branch moved, and its push would be refused after it was deployed. */
function refuseRunningDeploy(app: homeport.ReportedApp): void {
  if (app.builds?.[0]?.status === 'running')
    throw new ProblemError('conflict', `${failureSentence({ code: 'deploy_locked' })} Nothing was changed.`);
}

/** A try may come an hour after the person asked, or days later by hand. What was deployed since then is newer than their wish. */
function refuseNewerDeploy({ facts, input: { sha } }: Context, app: homeport.ReportedApp): void {
  if (newestDeploy(app) === facts.newest || deployedCommits(app)[0]?.commit === sha) return;
  throw new ProblemError(
    'conflict',
    'Another deploy succeeded since this began. Nothing was built: go back again from the history if you still want to.',
  );
}

async function deploy(context: Context): Promise<StepOutcome | undefined> {
  const { sha } = context.input;
  const app = appName(context.input.longname);
  const now = await askPlugin(context);
  if (context.facts.before !== sha && runningCommit(now) === sha)
    return { note: 'An earlier try deployed this commit already.' };
  refuseRunningDeploy(now);
  refuseNewerDeploy(context, now);
  const { folder } = apps.readReport(await context.run('apps', apps.report(app), { quiet: true }));
  const command = git.syncOwnAndBuild(app, git.ownRepository(app, folder), sha);
  const ran = await context.run('apps', command, { accept: 'any', deadlineMs });
  const failure = failureOf(ran);
  // 128 is git's own end, before it moved the branch. A task of the app may print the same words later.
  const hasNotBegun = ran.exitCode === 128 || (failure !== null && beforeTheBranch.has(failure.code));
  if (failure?.code === 'commit_missing' && hasNotBegun)
    throw new ProblemError(
      'conflict',
      `The app’s repository does not have ${short(sha)} any more: git removes commits that no branch leads to. Nothing was changed.`,
    );
  if (failure) {
    const branch = hasNotBegun
      ? 'Nothing was built.'
      : `Dokku’s deploy branch and GIT_REV stand at ${short(sha)} now: a rebuild builds that commit, and the next push moves the branch on.`;
    const runs = await askPlugin(context).then(whatRuns, () => whatRunsIsUnknown);
    throw new ProblemError('remote_failed', `${failureSentence(failure)} ${runs} ${branch}`);
  }
  return undefined;
}

/** Refusals of the server, the account or Dokku before it begins. */
const beforeTheBranch: ReadonlySet<string> = new Set([
  ...['access_denied', 'app_missing', 'must_be_root', 'sudo_password', 'not_installed'],
]);

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
  if (known.length === 0) return whatRunsIsUnknown;
  return `The app’s containers say that they run ${known.join(' and ')}.`;
}

const whatRunsIsUnknown = 'The server does not say which commit the app runs.';

/** As git shortens a commit's name. */
const short = (sha: string) => sha.slice(0, 7);
