import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fingerprintOf, openConnection } from '@homeport/ssh';
import { makeKey, signerFor } from '@homeport/ssh/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeLogins } from './authorized-keys.ts';
import { openDemoFolder } from './demo-folder.ts';
import { startInProcessHost } from './in-process-host.ts';
import type { SshHost } from './ssh-host.ts';

let folder: string;
let host: SshHost;
const known = makeKey();
const stranger = makeKey();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-in-process-'));
  const { sshPort, hostKeyFile } = await openDemoFolder(folder);
  const login = join(folder, 'login');
  await writeFile(
    login,
    '#!/bin/sh\n[ -n "$SSH_ORIGINAL_COMMAND" ] || exit 9\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n',
    {
      mode: 0o755,
    },
  );
  const authorized = join(folder, 'authorized_keys');
  await writeLogins(authorized, login, [known.publicKeyLine]);
  host = await startInProcessHost({
    folder,
    port: sshPort,
    hostKeyFile,
    authorizedKeysFiles: [authorized],
    env: { PATH: process.env.PATH ?? '', WHERE: 'harbour' },
  });
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** Runs a command by the real client of OpenSSH. */
async function ssh(privateKey: string, command: string, stdin = '') {
  const identity = join(folder, 'client_key');
  await writeFile(identity, privateKey, { mode: 0o600 });
  const call = promisify(execFile)('ssh', [
    ...['-F', 'none', '-i', identity, '-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes'],
    ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
    ...['-p', String(host.port), `${userInfo().username}@127.0.0.1`, command],
  ]);
  call.child.stdin?.end(stdin);
  return call.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

test('a trusted key runs commands with input, both outputs and the command’s exit code', async () => {
  expect(await ssh(known.privateKeyPem, 'cat; echo "$WHERE" >&2; exit 7', 'ships\n')).toEqual({
    code: 7,
    stdout: 'ships\n',
    stderr: 'harbour\n',
  });
});

test('the console’s environment does not reach a session', async () => {
  process.env.HOMEPORT_TEST_CANARY = 'canary';
  const { stdout } = await ssh(known.privateKeyPem, 'env');
  delete process.env.HOMEPORT_TEST_CANARY;
  expect(stdout).toContain('WHERE=harbour');
  expect(stdout).not.toContain('canary');
});

test('takes signatures that name its host key, so that no console asks to allow others', async () => {
  const hostKey = await readFile(join(folder, 'demo/host_key.pub'), 'utf8');
  const connection = await openConnection({
    host: '127.0.0.1',
    port: host.port,
    username: userInfo().username,
    pinnedHostKey: fingerprintOf(Buffer.from(hostKey.split(' ')[1] ?? '', 'base64')),
    credential: { method: 'agent', signer: signerFor(known.privateKeyPem) },
  });
  connection.close();
});

test('refuses a key that is not trusted', async () => {
  const { code, stderr } = await ssh(stranger.privateKeyPem, 'true');
  expect(code).toBe(255);
  expect(stderr).toContain('Permission denied');
});
