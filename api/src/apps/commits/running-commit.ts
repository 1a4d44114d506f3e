import { appName, homeport } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';
import { appMissing } from '../state/ask-state.ts';
import { versionsOf } from '../state/container-versions.ts';

type Asked = Pick<StepContext<{ longname: string }>, 'run' | 'input'>;

/** Asks Homeport’s plugin, which alone knows the commits of deploys, about the app. One start of Dokku. `kept` ends its refusal. */
export async function askPlugin({ run, input }: Asked, kept = ''): Promise<homeport.ReportedApp> {
  const ran = await run('apps', homeport.state(appName(input.longname)), {
    accept: (outcome) => outcome.exitCode === 20 || homeport.isAbsent(outcome),
    quiet: true,
  });
  if (ran.exitCode === 20) throw appMissing();
  const app = ran.exitCode === 0 ? homeport.readState(ran) : null;
  if (!app)
    throw new ProblemError(
      'conflict',
      `The server does not say which commits were deployed: Homeport’s plugin is missing there.${kept}`,
    );
  return app;
}

type Commit = homeport.ReportedApp['commits'][number];

/**
 * The commits of the deploys that succeeded, newest first. Null for one whose commit was not noted, and for an image: Dokku writes a commit
 * that only names the image's tag, which may lead to another image today.
 */
export function deployedCommits(app: homeport.ReportedApp): (Commit | null)[] {
  const noted = new Map(app.commits.map((commit) => [commit.build, commit]));
  return succeeded(app).map(({ id, source }) => (imageSources.has(source) ? null : (noted.get(id) ?? null)));
}

/** The id of the newest deploy that succeeded; null without one. */
export const newestDeploy = (app: homeport.ReportedApp): string | null => succeeded(app)[0]?.id ?? null;

/** Dokku would take Procfile and app.json from that image, whatever is built. */
export const runsAnImage = (app: homeport.ReportedApp): boolean =>
  imageSources.has(succeeded(app).find(({ source }) => source !== 'ps:rebuild')?.source ?? '');

const succeeded = ({ builds }: homeport.ReportedApp) =>
  (builds ?? []).filter(({ status, source }) => status === 'succeeded' && !withoutBuild.has(source));

const imageSources: ReadonlySet<string> = new Set(['git:from-image', 'git:load-image']);

/** Deploys of the version that is there already. */
const withoutBuild: ReadonlySet<string> = new Set(['config-redeploy']);

/**
 * The commit that the app runs as a whole. Null where the last successful deploy and the containers do not agree: after a deploy that
 * failed at its second type, or a restart after a failed deploy, when containers say the commit that failed.
 */
export function runningCommit(app: homeport.ReportedApp): string | null {
  const last = deployedCommits(app)[0]?.commit ?? null;
  return last !== null && commitsInContainers(app).every((sha) => sha === last) ? last : null;
}

/** Which commits the containers run, each once. Null for a container of which nobody knows. */
export function commitsInContainers({
  containers,
  builds,
  commits,
  revisions,
}: homeport.ReportedApp): (string | null)[] {
  const versions = versionsOf({ containers: containers ?? [], builds: builds ?? [], commits, revisions });
  return [...new Set([...versions.values()].map(({ sha }) => sha))];
}
