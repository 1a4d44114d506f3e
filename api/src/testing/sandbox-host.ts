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

export async function startSandboxServer(options: Omit<SandboxOptions, 'root'> = {}): Promise<SandboxServer> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-api-host-'));
  await chmod(folder, 0o755);
  const sandbox = await prepareSandboxHost({ pace: 0, ...options, root: join(folder, 'sandbox') });
  const { publicKeyLine, privateKeyPem } = makeKey();
  const logins = join(folder, 'authorized_keys');
  await writeFile(logins, `${publicKeyLine}\n`);
  const sshd = await startSshd({
    // sshd takes the first line that fits a key, so the login’s line stands before a forced command of the
    // same key.
    config: { AuthorizedKeysFile: `${logins} ${sandbox.authorizedKeysFile}` },
    env: sandbox.env,
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
