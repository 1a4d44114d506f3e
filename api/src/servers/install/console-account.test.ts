import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Key } from '@homeport/contract/credentials/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { type Account, apps, argvFor, type Command } from '@homeport/dokku';
import { Connection, OpeningError, openConnection } from '@homeport/ssh';
import { keyLogin, machineNote, makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi } from '../../http/testing.ts';
import { followToEnd, openAsPage } from '../../testing/page.ts';
import {
  closeConsoleAccount,
  makeConsoleAccount,
  removeConsoleAccount,
  tryConsoleAccount,
} from './console-account.ts';

const stubDokku = '/usr/bin/dokku';
const has = (user: string) => spawnSync('id', ['-u', user]).status === 0;

/**
 * These tests make real accounts and a real sudo rule, so they run only on a machine that is thrown away afterwards: as root, in
 * CI or on request, and only when none of the names is taken.
 */
const mayChangeMachine =
  process.getuid?.() === 0 &&
  (process.env.CI === 'true' || process.env.HOMEPORT_TEST_ACCOUNTS === '1') &&
  existsSync('/usr/sbin/visudo');
const note = machineNote('console-account', () => {
  runAsRoot(removeConsoleAccount());
  rmSync(stubDokku, { force: true });
  spawnSync('userdel', ['--remove', 'dokku']);
});
if (mayChangeMachine) note.clearLeftovers();
const mayMakeAccounts = mayChangeMachine && !has('homeport') && !has('dokku') && !existsSync(stubDokku);

const key = makeKey();
const laterKey = makeKey();
function runAsRoot(command: Command) {
  const [program = '', ...words] = argvFor({ kind: 'root' }, command);
  const { status, stdout, stderr } = spawnSync(program, words, {
    input: command.stdin ?? '',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.skipIf(!mayMakeAccounts)('the console’s own account', () => {
  let sshd: Sshd;
  let folder: string;

  beforeAll(async () => {
    note.begin();
    execFileSync('useradd', ['--system', '--create-home', '--home-dir', '/home/dokku', 'dokku']);
    writeFileSync(stubDokku, '#!/bin/sh\necho "$(id -un) ran dokku $*"\n', { mode: 0o755 });
    folder = mkdtempSync(join(tmpdir(), 'homeport-accounts-'));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'root'), `${key.publicKeyLine}\n${laterKey.publicKeyLine}\n`);
    const AuthorizedKeysFile = `${folder}/%u %h/.ssh/authorized_keys`;
    sshd = await startSshd({ config: { AuthorizedKeysFile } });
  });
  afterAll(async () => {
    await sshd?.dispose();
    note.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = ({ privateKeyPem } = key) =>
    openConnection(keyLogin(sshd, signerFor(privateKeyPem), { username: 'homeport' }));
  const letsIn = async (which: typeof key) => {
    const opened = await connect(which).catch((error: unknown) => error);
    if (opened instanceof OpeningError && opened.failure.code === 'auth_refused') return false;
    if (!(opened instanceof Connection)) throw opened;
    opened.close();
    return true;
  };

  test('can be made twice, and lets the credential’s key in', async () => {
    expect(runAsRoot(makeConsoleAccount(key.publicKeyLine))).toMatchObject({ status: 0 });
    expect(runAsRoot(makeConsoleAccount(key.publicKeyLine))).toMatchObject({ status: 0 });
    expect(runAsRoot(tryConsoleAccount())).toMatchObject({ status: 0, stdout: 'dokku ran dokku version\n' });
    const connection = await connect();
    const account: Account = { kind: 'console', user: 'homeport' };
    const ran = await connection.exec({ argv: argvFor(account, apps.list()), deadlineMs: 10_000 });
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'dokku ran dokku --quiet apps:list\n' });
    connection.close();
  });

  test('may become the user dokku to run dokku, and no other user', async () => {
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
    const { stdout } = await connection.exec({ argv: ['sudo', '-n', '-l'], deadlineMs: 10_000 });
    const rules = stdout.split('\n').filter((line) => line.startsWith('    ('));
    expect(rules.map((line) => line.trim())).toEqual(['(dokku) SETENV: NOPASSWD: /usr/bin/dokku']);
    connection.close();
  });

  test('takes another key in place of the first', async () => {
    const other = makeKey();
    expect(runAsRoot(makeConsoleAccount(other.publicKeyLine)).status).toBe(0);
    expect([await letsIn(key), await letsIn(other)]).toEqual([false, true]);
  });

  test('lets nobody in without its key, and may become no user', async () => {
    expect(runAsRoot(makeConsoleAccount(key.publicKeyLine)).status).toBe(0);
    expect(runAsRoot(closeConsoleAccount()).status).toBe(0);
    expect(runAsRoot(closeConsoleAccount()).status).toBe(0);
    expect(await letsIn(key)).toBe(false);
    expect(existsSync('/etc/sudoers.d/homeport')).toBe(false);
    expect(has('homeport')).toBe(true);
  });

  test('follows the server’s credential: lets the new key in, and the earlier key no longer', async () => {
    await using api = await startTestApi();
    const ines = await api.signUp('ines');
    const [first, later] = await Promise.all(
      [key, laterKey].map(async ({ publicKeyLine }, at) => {
        const { body } = await ines.call('POST /api/keys', { name: `key ${at}`, publicKey: publicKeyLine });
        return body as Key;
      }),
    );
    if (!first || !later) throw new Error('The keys were not stored.');
    const added = await ines.call('POST /api/servers', {
      ...{ name: 'lantern', ip: sshd.host, port: sshd.port, username: 'root' },
      ...{ credential: first.id, subdomain: 'lantern' },
    });
    const { id } = added.body as Server;
    expect((await ines.call(`POST /api/servers/${id}/account`, {})).body).toMatchObject({ code: 'conflict' });
    // The state after an installation.
    runAsRoot(makeConsoleAccount(key.publicKeyLine));
    await api.store.db
      .updateTable('servers')
      .set({ console_account: true, account_key: first.fingerprint })
      .execute();

    const update = async (signedBy: typeof key) => {
      const started = await ines.call(`POST /api/servers/${id}/account`, {});
      expect(started.status, JSON.stringify(started.body)).toBe(202);
      const server = { id, user: 'root' };
      const signer = signerFor(signedBy.privateKeyPem);
      const opened = await openAsPage(api.url, ines, server, signer, sshd.hostKeyFingerprint);
      expect(opened).toMatchObject({ type: 'ready' });
      const { operation } = await followToEnd(ines, (started.body as Operation).id);
      expect(operation, JSON.stringify(operation.problem)).toMatchObject({ state: 'succeeded' });
      return (await ines.call(`GET /api/servers/${id}`)).body as Server;
    };
    const change = async (credential: string) => {
      const { version } = (await ines.call(`GET /api/servers/${id}`)).body as Server;
      return (await ines.call(`PATCH /api/servers/${id}`, { version, credential })).body;
    };

    const changed = await change(later.id);
    expect(changed).toMatchObject({ consoleAccount: false, accountKey: first.fingerprint });
    expect([await letsIn(key), await letsIn(laterKey)]).toEqual([true, false]);
    for (const _ of ['once', 'and once more, without harm']) {
      const updated = await update(laterKey);
      expect(updated).toMatchObject({ consoleAccount: true, accountKey: later.fingerprint });
      expect([await letsIn(key), await letsIn(laterKey)]).toEqual([false, true]);
    }
  }, 60_000);

  test('leaves nothing when it is removed, and a second removal succeeds', () => {
    expect(runAsRoot(removeConsoleAccount()).status).toBe(0);
    expect(has('homeport')).toBe(false);
    expect(existsSync('/var/lib/homeport-account')).toBe(false);
    expect(existsSync('/etc/sudoers.d/homeport')).toBe(false);
    expect(runAsRoot(removeConsoleAccount()).status).toBe(0);
  });
});
