import { appName, type DokkuFailure, failureOf, git, ps } from '@homeport/dokku';
import type { GithubDeps } from '../../github/account.ts';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { fetchPrivate, readVisibility, type Visibility } from './fetch-private.ts';

/** A build takes as long as one after a push. */
export const deadlineMs = 30 * 60_000;

/** The context of a step that deploys, whatever else the operation’s input holds. */
export type DeployStep = Pick<StepContext<unknown>, 'owner' | 'run' | 'output' | 'signal'>;

type Source = { longname: string; repository: string; ref: string };

/** Deploys a branch or a commit. The server itself fetches a public repository; of a private one the console passes the archive on. */
export async function deployRef(github: GithubDeps, step: DeployStep, source: Source): Promise<void> {
  const visibility = await readVisibility(github, step.owner, source.repository);
  if (visibility.kind === 'private') await deployFromConsole(github, step, source);
  else await deployFromServer(github, step, source, visibility);
}

async function deployFromServer(
  { settings }: GithubDeps,
  { run }: DeployStep,
  { longname, repository, ref }: Source,
  visibility: Visibility,
): Promise<void> {
  const remote = git.remoteSchema.parse(`${settings.site}/${repository}.git`);
  const command = git.syncAndBuild(appName(longname), remote, git.branchSchema.parse(ref));
  const failure = failureOf(await run('apps', command, { accept: 'any', deadlineMs }));
  if (failure?.code === 'repository_refused' && visibility.kind === 'unknown') {
    const { code, message, details } = visibility.problem;
    throw new ProblemError(code, `${failureSentence(failure)} ${message}`, details);
  }
  refuseFailed(failure);
}

async function deployFromConsole(github: GithubDeps, step: DeployStep, source: Source): Promise<void> {
  const { sha, archive } = await fetchPrivate(github, step.owner, source, step.signal);
  step.output(`Homeport passes commit ${sha} of ${source.repository} on to Dokku.\n`);
  await deployArchive(step, source.longname, archive.pieces, {
    failure: () => archive.failure(),
  }).finally(() => archive[Symbol.dispose]());
}

/**
 * Deploys the files of a `tar.gz`, which passes through the console piece by piece. One that breaks off ends Dokku's command before it
 * commits anything. `failure` says why the pieces ended with an error.
 */
export async function deployArchive(
  { run, output, signal }: DeployStep,
  longname: string,
  pieces: AsyncIterable<Uint8Array>,
  { failure: archiveFailure }: { failure: () => ProblemError | null },
): Promise<void> {
  const app = appName(longname);
  const options = { accept: 'any', deadlineMs } as const;
  const ran = await run('apps', git.fromArchive(app), { ...options, pieces }).catch((error: unknown) => {
    throw (signal.aborted ? null : archiveFailure()) ?? error;
  });
  const failure = failureOf(ran);
  if (failure?.code !== 'nothing_new') return refuseFailed(failure);
  output('The app has exactly these files already, so Dokku builds it again.\n');
  refuseFailed(failureOf(await run('apps', ps.rebuild(app), options)));
}

export function refuseFailed(failure: DokkuFailure | null): void {
  if (failure) throw new ProblemError('remote_failed', failureSentence(failure));
}
