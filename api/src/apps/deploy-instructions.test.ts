import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitUrl, knownHostsLine } from '@homeport/contract/github/workflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deployInstructions, remoteUrl } from './deploy-instructions.ts';

const run = promisify(execFile);

const server = { git_user: 'dokku', ip: '203.0.113.24', port: 22 };
const app = { longname: 'ledger', url: null, deploy_branch: null };
const pushes = (deploy_branch: string | null) =>
  deployInstructions(server, { ...app, deploy_branch }, []).commands.flatMap(({ command }) =>
    command.includes('git push') ? command.slice(command.indexOf('git push')) : [],
  );

test('an app without a deploy branch is pushed to main, which becomes it', () => {
  expect(pushes(null)).toEqual(['git push dokku HEAD:main', 'git push dokku HEAD:main']);
});

test('the app’s own deploy branch is pushed to, and how to choose another is said', () => {
  expect(pushes('release/2')).toEqual(['git push dokku HEAD:release/2', 'git push dokku HEAD:release/2']);
  expect(deployInstructions(server, { ...app, deploy_branch: 'trunk' }, [])).toMatchObject({
    branch: 'trunk',
    branchCommand: 'dokku git:set ledger deploy-branch other-branch',
  });
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-remotes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What git hands ssh for a remote: the port where it names one, and the login. */
async function asGitReads(remote: string): Promise<{ port: string | null; login: string | undefined }> {
  const [ssh, said] = [join(folder, 'ssh'), join(folder, 'said')];
  await writeFile(ssh, `#!/bin/sh\nprintf '%s\\n' "$@" >"${said}"\nexit 1\n`);
  await chmod(ssh, 0o755);
  const env = { ...process.env, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
  await run('git', ['ls-remote', remote], { env }).catch(() => undefined);
  const words = (await readFile(said, 'utf8')).split('\n');
  const at = words.indexOf('-p');
  return {
    port: at < 0 ? null : (words[at + 1] ?? null),
    login: words.find((word) => word.startsWith('dokku@')),
  };
}

test.each([
  ['203.0.113.24', 22],
  ['203.0.113.24', 2222],
  ['2001:db8::1', 22],
  ['2001:db8::1', 2222],
  ['fd00::a:0:0:1', 22],
])(
  'git reads the address %s and the port %i back from the remote and from the workflow',
  async (ip, port) => {
    const remote = remoteUrl({ git_user: 'dokku', ip, port }, 'ledger');
    const short = port === 22 && !ip.includes(':');
    expect(await asGitReads(remote)).toEqual({ port: short ? null : String(port), login: `dokku@${ip}` });
    expect(await asGitReads(gitUrl(remote))).toEqual({ port: String(port), login: `dokku@${ip}` });
  },
);

test.each([
  ['203.0.113.24', 22],
  ['2001:db8::1', 22],
  ['2001:db8::1', 2222],
])('OpenSSH finds the host key of %s at port %i in the line of known_hosts', async (host, port) => {
  const file = join(folder, 'known_hosts');
  const blob = 'AAAAC3NzaC1lZDI1NTE5AAAAIGPcMNMBmzJxyPSp5Fh9Kc7NqC2z3gGvOCGfDRmTrNnX';
  await writeFile(file, `${knownHostsLine({ host, port }, { type: 'ssh-ed25519', blob })}\n`);
  const asked = port === 22 ? host : `[${host}]:${port}`;
  expect((await run('ssh-keygen', ['-F', asked, '-f', file])).stdout).toContain(blob);
});
