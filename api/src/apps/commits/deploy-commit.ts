import { privateWays } from '@homeport/contract/github/facts';
import { appName, type DokkuFailure, failureOf, git, ps } from '@homeport/dokku';
import { z } from 'zod';
import type { GithubDeps } from '../../github/account.ts';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type Step,
  type StepContext,
} from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { addToGithub, makeKey } from '../deploy-key/make-key.ts';
import { fetchPrivate, readVisibility, type Visibility } from './fetch-private.ts';

const deployCommitInput = onAppInput.extend({
  repository: z.string(),
  ref: z.string(),
  way: z.enum(privateWays).default('archive'),
});

/** A build takes as long as one after a push. */
const deadlineMs = 30 * 60_000;

type Context = StepContext<z.output<typeof deployCommitInput>>;

/**
 * Deploys one commit of a repository, without GitHub Actions. The server itself fetches a public repository, and a private one with the
 * app's own deploy key if the person chose that; else the console passes the archive on. Dokku builds again when it is asked again, so
 * the step can be repeated.
 */
export function deployCommit(github: GithubDeps): AnyOperationDefinition {
  const { store } = github;
  return defineOperation<z.output<typeof deployCommitInput>>({
    kind: 'app.deploy-commit',
    input: deployCommitInput,
    title: ({ repository, ref }) => `Deploy of ${shortRef(ref)} from ${repository}`,
    steps: ({ repository, ref, way }) => [
      ...(way === 'key' ? keySteps(github, repository) : []),
      {
        key: 'deploy',
        title: `Fetch ${shortRef(ref)} from ${repository} and deploy it`,
        run: async (context) => {
          if (way === 'key') return deployWithKey(context);
          const visibility = await readVisibility(github, context.owner, repository);
          if (visibility.kind === 'private') await deployFromConsole(github, context);
          else await deployFromServer(github, context, visibility);
          return undefined;
        },
      },
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(store, context);
          await context.toast('ok', 'Commit deployed');
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(store, context),
  });
}

function keySteps(github: GithubDeps, repository: string): Step<z.output<typeof deployCommitInput>>[] {
  return [
    {
      key: 'key',
      title: 'Make the app’s deploy key on the server',
      run: (context) => makeKey(github, context),
    },
    {
      key: 'github',
      title: `Add it to ${repository} as a key that only reads`,
      run: (context) => addToGithub(github, context),
    },
  ];
}

async function deployWithKey({ input, run }: Context): Promise<undefined> {
  const app = appName(input.longname);
  const remote = git.keyedRemote(app, input.repository);
  const command = git.syncAndBuild(app, remote, git.branchSchema.parse(input.ref));
  refuseFailed(failureOf(await run('apps', command, { accept: 'any', deadlineMs })));
}

async function deployFromServer(
  { settings }: GithubDeps,
  { input, run }: Context,
  visibility: Visibility,
): Promise<void> {
  const remote = git.remoteSchema.parse(`${settings.site}/${input.repository}.git`);
  const command = git.syncAndBuild(appName(input.longname), remote, git.branchSchema.parse(input.ref));
  const failure = failureOf(await run('apps', command, { accept: 'any', deadlineMs }));
  if (failure?.code === 'repository_refused' && visibility.kind === 'unknown') {
    const { code, message, details } = visibility.problem;
    throw new ProblemError(code, `${failureSentence(failure)} ${message}`, details);
  }
  refuseFailed(failure);
}

/** The archive passes through the console, piece by piece. One that breaks off ends Dokku's command before it commits anything. */
async function deployFromConsole(github: GithubDeps, context: Context): Promise<void> {
  const { input, owner, run, output, signal } = context;
  const app = appName(input.longname);
  const { sha, archive } = await fetchPrivate(github, owner, input, signal);
  output(`Homeport passes commit ${sha} of ${input.repository} on to Dokku.\n`);
  const options = { accept: 'any', deadlineMs } as const;
  const ran = await run('apps', git.fromArchive(app), { ...options, pieces: archive.pieces })
    .catch((error: unknown) => {
      throw (signal.aborted ? null : archive.failure()) ?? error;
    })
    .finally(() => archive[Symbol.dispose]());
  const failure = failureOf(ran);
  if (failure?.code !== 'nothing_new') return refuseFailed(failure);
  output('The app has exactly these files already, so Dokku builds it again.\n');
  refuseFailed(failureOf(await run('apps', ps.rebuild(app), options)));
}

function refuseFailed(failure: DokkuFailure | null): void {
  if (failure) throw new ProblemError('remote_failed', failureSentence(failure));
}

/** A commit's whole name is shortened as git shortens it. */
const shortRef = (ref: string) => (/^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref);
