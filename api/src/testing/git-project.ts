import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A project with one commit, pushed by real git with a key of its own. */
export async function gitProject(files: Record<string, string>, privateKeyPem: string) {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-project-'));
  const keyFile = join(folder, '.git-key');
  await writeFile(keyFile, privateKeyPem);
  await chmod(keyFile, 0o600);
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_SSH_COMMAND: `ssh -i ${keyFile} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`,
  };
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=Ines', '-c', 'user.email=ines@example.com', ...words], {
      cwd: folder,
      env,
      timeout: 60_000,
    });
  const commit = async (changed: Record<string, string>, message: string) => {
    for (const [name, text] of Object.entries(changed)) await writeFile(join(folder, name), text);
    await git('add', ...Object.keys(changed));
    await git('commit', '-q', '-m', message);
  };
  await git('init', '-q', '-b', 'main');
  await commit(files, 'first');
  return {
    git,
    commit,
    /** Resolves with git’s whole output. Rejects when the push is refused. */
    async push(remote: string): Promise<string> {
      const { stdout, stderr } = await git('push', remote, 'HEAD:main');
      return stdout + stderr;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
