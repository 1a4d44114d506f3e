import { z } from 'zod';
import { type Command, dokku, hostCommand, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { epochSecondsToMs, linesOf, readJson, reportSchema, reportValue } from '../output.ts';

/** Narrower than git-check-ref-format(1): no leading hyphen, no `..`, no `.lock` at the end. */
export const branchSchema = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9_](?:[A-Za-z0-9._/-]*[A-Za-z0-9_-])?$/,
    'Use letters, digits, dot, slash, hyphen and underscore.',
  )
  .refine(
    (name) => !name.includes('..') && !name.includes('//') && !name.endsWith('.lock'),
    'Git does not take this branch name.',
  )
  .brand<'Branch'>();
export type Branch = z.output<typeof branchSchema>;

export function report(app: AppName): Command {
  return dokku('git:report', app, '--format', 'json');
}

/** Makes a branch the one whose push deploys. */
export function setDeployBranch(app: AppName, branch: Branch): Command {
  return dokku('git:set', app, 'deploy-branch', branch);
}

/** Where a server fetches a repository without credentials: an address of the web that ends with `.git`. */
export const remoteSchema = z
  .string()
  .max(400)
  .regex(/^https?:\/\/[A-Za-z0-9.:-]+(?:\/[A-Za-z0-9._-]+)+$/, 'This is no address of a repository.')
  .refine((address) => address.endsWith('.git'), 'This is no address of a repository.')
  .brand<'Remote'>();
export type Remote = z.output<typeof remoteSchema>;

/**
 * The address of a repository by the name that stands for its host in ssh's settings of the user dokku (`deployKeys.write`). Dokku hands
 * the address on to git as it stands. It names no account: ssh's settings do.
 */
export function keyedRemote(app: AppName, repository: string): KeyedRemote {
  return keyedRemoteSchema.parse(`${hostAlias(app)}:${repository}.git`);
}

/** A name of a host that no address has, and that ssh keeps in lower case. */
export const hostAlias = (app: AppName) => `homeport-github-${app}`;

const keyedRemoteSchema = z
  .string()
  .max(300)
  .regex(
    /^homeport-github-[a-z0-9._-]+:[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+\.git$/,
    'This is no address of a repository.',
  )
  .brand<'KeyedRemote'>();
type KeyedRemote = z.output<typeof keyedRemoteSchema>;

/**
 * Fetches a repository and deploys one of its branches or commits. Without the last word Dokku looks for its own deploy branch,
 * which the repository may not have.
 */
export function syncAndBuild(app: AppName, remote: Remote | KeyedRemote, ref: Branch): Command {
  return dokku('git:sync', '--build', app, remote, ref);
}

/** The whole name of a commit. */
export const commitSchema = z
  .string()
  .regex(/^[0-9a-f]{40}$/, 'This is no name of a commit.')
  .brand<'Commit'>();
export type Commit = z.output<typeof commitSchema>;

/** The folder of an app's own repository (`apps.readReport`). Dokku gives it to git as a remote, so only a plain absolute path passes. */
export function ownRepository(app: AppName, folder: string): OwnRepository {
  const isOwn = folder.startsWith('/') && folder.endsWith(`/${app}`) && !folder.includes('..');
  return ownRepositorySchema.parse(isOwn ? folder : '');
}

const ownRepositorySchema = z
  .string()
  .max(300)
  .regex(/^\/[A-Za-z0-9._/-]+$/, 'This is no folder of an app.')
  .brand<'OwnRepository'>();
type OwnRepository = z.output<typeof ownRepositorySchema>;

/**
 * Builds and deploys a commit that the app's repository has already, and moves the deploy branch to it. The branch moves first and stays
 * moved when the build then fails. For a commit that git has removed it ends with `commit_missing`, and nothing moves.
 */
export function syncOwnAndBuild(app: AppName, repository: OwnRepository, commit: Commit): Command {
  return dokku('git:sync', '--build', app, repository, commit);
}

/**
 * Commits the files of a `tar.gz` from stdin on top of the app's repository, and deploys them. Dokku takes the one folder at the
 * archive's top away, and its author is Dokku: of a name and an address it would take the name for both. An archive that was cut off
 * ends the command (`archive_damaged`) before anything is committed; files that the app has already end it with `nothing_new`.
 */
export function fromArchive(app: AppName): Command {
  return dokku('git:from-archive', '--archive-type', 'tar.gz', app, '--');
}

export type GitReport = {
  /** The branch whose push deploys. */
  readonly deployBranch: string;
  /** False when neither the app nor the server has one. The first pushed branch then becomes the deploy branch. */
  readonly deployBranchSet: boolean;
  readonly lastUpdatedAt: number | null;
};

export function readReport(outcome: Outcome): GitReport {
  const report = readJson('git:report', outcome.stdout, reportSchema);
  const own = reportValue(report, 'git', 'deploy-branch');
  return {
    deployBranch: reportValue(report, 'git', 'computed-deploy-branch') || own || 'master',
    deployBranchSet: own !== '' || reportValue(report, 'git', 'global-deploy-branch') !== '',
    lastUpdatedAt: epochSecondsToMs(reportValue(report, 'git', 'last-updated-at')),
  };
}

/** The files at the top of the deployed branch. */
export function listFiles(app: AppName, branch: Branch): Command {
  return asDokku(app, ['ls-tree', '--name-only', branch]);
}

/**
 * Runs git as the owner of the repository. The repository's configuration can name programs for git to run (textconv, remotes of
 * a partial clone), and root must not run those.
 */
function asDokku(app: AppName, words: readonly string[]): Command {
  return hostCommand(['runuser', '-u', 'dokku', '--', 'git', `--git-dir=/home/dokku/${app}`, ...words], {
    needsRoot: true,
  });
}

/** The name of the readme among the files, by its usual names in any case. Null without a readme. */
export function readReadmeName(outcome: Outcome): string | null {
  const names = linesOf(outcome.stdout).filter((name) => /^readme(\.(md|markdown|txt|rst))?$/i.test(name));
  return names.find((name) => /\.(md|markdown)$/i.test(name)) ?? names[0] ?? null;
}

/** Ends with 128 when the branch or the file does not exist. */
export function readFile(app: AppName, branch: Branch, file: string): Command {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(file))
    throw new RangeError('Only a file at the top of the repository is read.');
  return asDokku(app, ['show', `${branch}:${file}`]);
}
