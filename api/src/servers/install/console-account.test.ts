import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { type Account, apps, argvFor, type Command } from '@homeport/dokku';
import { openConnection } from '@homeport/ssh';
import { makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeConsoleAccount, removeConsoleAccount, tryConsoleAccount } from './console-account.ts';

const stubDokku = '/usr/bin/dokku';
const has = (user: string) => spawnSync('id', ['-u', user]).status === 0;

/**
 * These tests make real accounts and a real sudo rule, so they run where the machine is thrown away afterwards: as root,
 * in CI or on request, and only where none of the names is taken.
 */
const mayMakeAccounts =
  process.getuid?.() === 0 &&
  (process.env.CI === 'true' || process.env.HOMEPORT_TEST_ACCOUNTS === '1') &&
  existsSync('/usr/sbin/visudo') &&
  !has('homeport') &&
  !has('dokku') &&
  !existsSync(stubDokku);

const key = makeKey();
const runAsRoot = (command: Command) => {
  const [program = '', ...words] = argvFor({ kind: 'root' }, command);
  const { status, stdout, stderr } = spawnSync(program, words, {
    input: command.stdin ?? '',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe.skipIf(!mayMakeAccounts)('the console’s own account', () => {
  let sshd: Sshd;

  beforeAll(async () => {
    execFileSync('useradd', ['--system', '--create-home', '--home-dir', '/home/dokku', 'dokku']);
    writeFileSync(stubDokku, '#!/bin/sh\necho "$(id -un) ran dokku $*"\n', { mode: 0o755 });
    sshd = await startSshd({ config: { AuthorizedKeysFile: '%h/.ssh/authorized_keys' } });
  });
  afterAll(async () => {
    await sshd?.dispose();
    runAsRoot(removeConsoleAccount());
    rmSync(stubDokku, { force: true });
    spawnSync('userdel', ['--remove', 'dokku']);
  });

  const connect = () =>
    openConnection({
      host: sshd.host,
      port: sshd.port,
      username: 'homeport',
      pinnedHostKey: sshd.hostKeyFingerprint,
      credential: { method: 'agent', signer: signerFor(key.privateKeyPem) },
    });

  test('is made twice without harm, and lets the credential’s key in', async () => {
    expect(runAsRoot(makeConsoleAccount(key.publicKeyLine))).toMatchObject({ status: 0 });
    expect(runAsRoot(makeConsoleAccount(key.publicKeyLine))).toMatchObject({ status: 0 });
    expect(runAsRoot(tryConsoleAccount())).toMatchObject({ status: 0, stdout: 'dokku ran dokku version\n' });
    const connection = await connect();
    const account: Account = { kind: 'console', user: 'homeport' };
    const ran = await connection.exec({ argv: argvFor(account, apps.list()), deadlineMs: 10_000 });
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'dokku ran dokku --quiet apps:list\n' });
    connection.close();
  });

  test('may become dokku for dokku, and nobody else for anything', async () => {
    const connection = await connect();
    for (const argv of [
      ['sudo', '-n', 'id'],
      ['sudo', '-n', '-u', 'dokku', 'id'],
      ['sudo', '-n', '/usr/bin/dokku', 'version'],
      ['cat', '/etc/shadow'],
    ]) {
      const ran = await connection.exec({ argv, deadlineMs: 10_000 });
      expect(ran.exitCode, argv.join(' ')).not.toBe(0);
    }
    connection.close();
  });

  test('takes another key in place of the first', async () => {
    const other = makeKey();
    expect(runAsRoot(makeConsoleAccount(other.publicKeyLine)).status).toBe(0);
    await expect(connect()).rejects.toMatchObject({ failure: { code: 'auth_refused' } });
  });

  test('leaves nothing when it is removed, and removing it again is no failure', () => {
    expect(runAsRoot(removeConsoleAccount()).status).toBe(0);
    expect(has('homeport')).toBe(false);
    expect(existsSync('/var/lib/homeport')).toBe(false);
    expect(existsSync('/etc/sudoers.d/homeport')).toBe(false);
    expect(runAsRoot(removeConsoleAccount()).status).toBe(0);
  });
});
