import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareSandboxHost, type SandboxHost, type SandboxOptions } from '@homeport/sandbox';
import { makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';

const run = promisify(execFile);

/** A server to link: a real sshd with the Dokku sandbox behind it, and one key that may log in. */
export type SandboxServer = AsyncDisposable & {
  sshd: Sshd;
  sandbox: SandboxHost;
  publicKeyLine: string;
  privateKeyPem: string;
  signer: ReturnType<typeof signerFor>;
  /** Runs `dokku` on the host itself, without the console. Resolves with its output. Rejects when it fails. */
  dokku(...words: string[]): Promise<string>;
  docker(...words: string[]): Promise<string>;
};

type Options = Omit<SandboxOptions, 'root'> & {
  /** Shell words that run before each command of a login. */
  beforeEach?: string;
  /** A further name of the account that logs in. */
  alsoNamed?: string;
};

export async function startSandboxServer({
  beforeEach,
  alsoNamed,
  ...options
}: Options = {}): Promise<SandboxServer> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-api-host-'));
  await chmod(folder, 0o755);
  const sandbox = await prepareSandboxHost({ pace: 0, ...options, root: join(folder, 'sandbox') });
  const { publicKeyLine, privateKeyPem } = makeKey();
  const logins = join(folder, 'authorized_keys');
  let login = publicKeyLine;
  if (beforeEach !== undefined) {
    const shell = join(folder, 'login');
    await writeFile(shell, `#!/bin/sh\n${beforeEach}\nexec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n`, {
      mode: 0o755,
    });
    login = `command="${shell}" ${publicKeyLine}`;
  }
  await writeFile(logins, `${login}\n`);
  const sshd = await startSshd({
    // sshd takes the first line that fits a key, so the login’s line stands before a forced command of the
    // same key.
    config: { AuthorizedKeysFile: `${logins} ${sandbox.authorizedKeysFile}` },
    env: sandbox.env,
    ...(alsoNamed !== undefined && { alsoNamed }),
  });
  return {
    sshd,
    sandbox,
    publicKeyLine,
    privateKeyPem,
    signer: signerFor(privateKeyPem),
    async dokku(...words) {
      return (await run('dokku', words, { env: sandbox.env, timeout: 60_000 })).stdout;
    },
    async docker(...words) {
      return (await run('docker', words, { env: sandbox.env, timeout: 60_000 })).stdout;
    },
    async [Symbol.asyncDispose]() {
      await sshd.dispose();
      await sandbox.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
