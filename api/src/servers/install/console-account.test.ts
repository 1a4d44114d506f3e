import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Key } from '@homeport/contract/credentials/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import {
  type Account,
  appName,
  apps,
  argvFor,
  type Command,
  leftReaders,
  logs,
  wayToEnd,
} from '@homeport/dokku';
import { CommandError, Connection, OpeningError, openConnection } from '@homeport/ssh';
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
const stubProgram = `#!/bin/sh
case $1 in
  logs) for n in 1 2 3; do sh -c 'sleep 600; :' "reader of $2" | cat & done; wait ;;
  colours) printf '\\033[36mone\\033[0m\\r\\n\\ttwo\\n' ;;
  *) echo "$(id -un) ran dokku $*" ;;
esac
`;
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

const runAsRootOutcome = (command: Command) => {
  const { status, stdout, stderr } = runAsRoot(command);
  return { exitCode: status, stdout, stderr };
};

describe.skipIf(!mayMakeAccounts)('the console’s own account', () => {
  let sshd: Sshd;
  let folder: string;

  beforeAll(async () => {
    note.begin();
    execFileSync('useradd', ['--system', '--create-home', '--home-dir', '/home/dokku', 'dokku']);
    writeFileSync(stubDokku, stubProgram, { mode: 0o755 });
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

  const account: Account = { kind: 'console', user: 'homeport' };
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
    expect(rules.map((line) => line.trim())).toEqual([
      '(dokku) NOPASSWD: /usr/bin/dokku',
      '(dokku) NOPASSWD: /bin/kill, /usr/bin/kill',
    ]);
    connection.close();
  });

  /** The processes below the account’s dokku. */
  const readers = () =>
    execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.endsWith('reader of ledger')).length;
  const nothingLeft = () => expect.poll(readers, { timeout: 20_000 }).toBe(0);
  /** Runs a dokku that says nothing, through sudo. `leave` ends it. */
  async function runSilent(connection: Connection, options: { follows: boolean }) {
    const leave = new AbortController();
    const command = logs.read(appName('ledger'), { lines: 1, follow: true });
    const ended = connection
      .exec({
        argv: argvFor(account, command),
        wayToEnd: wayToEnd(account),
        deadlineMs: 60_000,
        signal: leave.signal,
        ...options,
      })
      .catch((error: unknown) => (error instanceof CommandError ? error.failure : error));
    await expect.poll(readers, { timeout: 20_000 }).toBe(3);
    return { leave, ended };
  }

  test('leaves no reader of a silent app on the server, whether the stream or the connection ends', async () => {
    const connection = await connect();
    const closed = await runSilent(connection, { follows: true });
    closed.leave.abort();
    expect(await closed.ended).toMatchObject({ code: 'cancelled', remoteEnded: true });
    await nothingLeft();

    const dropped = await runSilent(connection, { follows: true });
    connection.close('lost');
    expect(await dropped.ended).toMatchObject({ code: 'connection_lost' });
    await nothingLeft();
  }, 60_000);

  test('gets followed output byte for byte, colours too', async () => {
    const connection = await connect();
    const followed = await connection.exec({
      argv: argvFor(account, apps.list()),
      deadlineMs: 10_000,
      follows: true,
    });
    expect(followed).toMatchObject({ exitCode: 0, stdout: 'dokku ran dokku --quiet apps:list\n' });
    const colours = { program: 'dokku', words: ['colours'], needsRoot: false } as const;
    const coloured = await connection.exec({
      argv: argvFor(account, colours),
      deadlineMs: 10_000,
      follows: true,
    });
    expect(coloured.stdout).toBe('\u001b[36mone\u001b[0m\r\n\ttwo\n');
    connection.close();
  });

  test('ends a cancelled command of dokku’s, which the account may not signal itself', async () => {
    const connection = await connect();
    const { leave, ended } = await runSilent(connection, { follows: false });
    leave.abort();
    expect(await ended).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(readers()).toBe(0);
    connection.close();
  });

  test('leaves readers behind without a terminal, and the next login of root ends them', async () => {
    const connection = await connect();
    const { ended } = await runSilent(connection, { follows: false });
    connection.close('lost');
    await ended;
    const endLeft = () => leftReaders.readEnded(runAsRootOutcome(leftReaders.endLeftReaders()));
    // The reader belongs to another parent once its sshd has gone.
    await expect.poll(endLeft, { timeout: 20_000 }).toBe(1);
    await nothingLeft();
  }, 60_000);

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

    // An earlier console wrote this line. The next connection of root gives it the terminal.
    const line = '/var/lib/homeport-account/.ssh/authorized_keys';
    writeFileSync(line, `restrict ${laterKey.publicKeyLine}\n`);
    await ines.call(`DELETE /api/servers/${id}/connection`);
    const signer = signerFor(laterKey.privateKeyPem);
    await openAsPage(api.url, ines, { id, user: 'root' }, signer, sshd.hostKeyFingerprint);
    await expect
      .poll(() => readFileSync(line, 'utf8'), { timeout: 20_000 })
      .toBe(`restrict,pty ${laterKey.publicKeyLine}\n`);
  }, 60_000);

  test('leaves nothing when it is removed, and a second removal succeeds', () => {
    expect(runAsRoot(removeConsoleAccount()).status).toBe(0);
    expect(has('homeport')).toBe(false);
    expect(existsSync('/var/lib/homeport-account')).toBe(false);
    expect(existsSync('/etc/sudoers.d/homeport')).toBe(false);
    expect(runAsRoot(removeConsoleAccount()).status).toBe(0);
  });
});
