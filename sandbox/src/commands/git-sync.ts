import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAndDeploy } from '../deploy/deploy.ts';
import { type Call, Exit, type SandboxCommand } from '../machine/call.ts';
import { commitOf, ensureRepository, gitEnvironment } from '../machine/repository.ts';

/** Fetches a repository into the app's own, puts the deploy branch on the commit that was asked for, and deploys it with `--build`. */
export const gitSync: SandboxCommand = {
  name: 'git:sync',
  run: async (call) => {
    const [name, remote = '', ref = ''] = call.words.filter((word) => !word.startsWith('--'));
    const app = call.app(name);
    if (remote === '') call.fail('Missing GIT_REMOTE parameter');
    call.mergeInto(null);
    const repository = ensureRepository(call.state.paths, app.name);
    const from = remote === `/home/dokku/${app.name}` ? repository : remote;
    if (commitOf(call.state.paths, app.name, deployBranchOf(call, app.name)) === null)
      clone(call, { app: app.name, repository, remote, from, ref });
    else fetch(call, { app: app.name, repository, remote, from, ref });
    if (!call.words.includes('--build')) return;
    const commit = commitOf(call.state.paths, app.name, deployBranchOf(call, app.name));
    const told = { source: 'git-sync', metadata: `${remote}#${commit}` };
    await buildAndDeploy(call, app.name, commit, { source: 'git:sync', told });
  },
};

/** `from`: where the remote lies in the sandbox. It differs for an app's own repository. */
type Sync = { app: string; repository: string; remote: string; from: string; ref: string };

const deployBranchOf = (call: Call, app: string) => call.app(app).deployBranch || 'master';

/** The first time: without a ref Dokku takes its own deploy branch, and a branch becomes the one that deploys. */
function clone(call: Call, { app, repository, remote, from, ref }: Sync): void {
  call.say(`Cloning ${app} from ${remote}#${ref}`);
  const folder = mkdtempSync(join(tmpdir(), `dokku-${process.pid}-fn-git-clone.`));
  try {
    demand(call, ['clone', '--no-checkout', from, folder]);
    demand(call, ['-C', folder, 'checkout', '--quiet', ref || deployBranchOf(call, app)]);
    if (git(call, ['-C', folder, 'show-ref', '--verify', `refs/remotes/origin/${ref}`]).status === 0) {
      call.detail(`Detected branch, setting deploy-branch to ${ref}`);
      call.state.changeApp(app, (next) => {
        next.deployBranch = ref;
      });
    }
    const deployBranch = `refs/heads/${deployBranchOf(call, app)}`;
    demand(call, [`--git-dir=${repository}`, 'fetch', '--quiet', folder, `+HEAD:${deployBranch}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Later: every branch of the remote, so that each of their commits is there. The branch moves even if the build then fails. */
function fetch(call: Call, { app, repository, remote, from, ref }: Sync): void {
  call.detail(`Fetching remote code for ${app} from ${remote}#${ref}`);
  const own = `--git-dir=${repository}`;
  demand(call, [own, 'fetch', '--quiet', '--update-head-ok', from, '+refs/heads/*:refs/heads/*']);
  const branch = deployBranchOf(call, app);
  demand(call, [own, 'update-ref', `refs/heads/${branch}`, `${ref || branch}^{commit}`]);
}

/** Ends as git does, after its words, which Dokku prints when git fails. */
function demand(call: Call, words: readonly string[]): void {
  const { status, text } = git(call, words);
  if (status === 0) return;
  call.write(1, text);
  throw new Exit(status);
}

function git(call: Call, words: readonly string[]): { status: number; text: string } {
  const env = { ...gitEnvironment(), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_SSH_COMMAND: sshOf(call) };
  const { status, stdout, stderr } = spawnSync('git', words, { encoding: 'utf8', env });
  return { status: status ?? 128, text: stdout + stderr };
}

/** The sandbox has no user dokku, in whose home ssh would find its settings. */
function sshOf({ state }: Call): string {
  const settings = join(state.paths.ssh, 'config');
  return `ssh -F ${existsSync(settings) ? settings : 'none'}`;
}
