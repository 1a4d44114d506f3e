import { type ExecFileException, execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareSandboxHost, type SandboxHost } from '@homeport/sandbox';
import { StartError } from '../start-error.ts';
import { writeLogins } from './authorized-keys.ts';
import { type DemoFolder, openDemoFolder } from './demo-folder.ts';
import { startInProcessHost } from './in-process-host.ts';
import { writeLoginProgram } from './login-program.ts';
import { startOpenSshHost } from './open-ssh-host.ts';

/** The sandbox's program beside the bundle; scripts/build.mjs writes both. */
const sandboxProgram = fileURLToPath(new URL('../../dist/dokku-sandbox.cjs', import.meta.url));

export type DemoHost = {
  sshPort: number;
  /** As in a `.pub` file. */
  hostKey: string;
  sandbox: SandboxHost;
  /** The kind of SSH server that answers. */
  kind: 'sshd' | 'in-process';
  /** From the next login on, only these public keys get a shell. */
  trust(publicKeys: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

/** Starts the demo's server: an SSH server on a loopback port with the Dokku sandbox on it. It isolates nothing. */
export async function startDemoHost(dataFolder: string): Promise<DemoHost> {
  const folder = await openDemoFolder(dataFolder);
  const sandbox = await prepareSandboxHost({
    root: join(folder.path, 'sandbox'),
    frontPort: folder.frontPort,
    program: sandboxProgram,
  });
  try {
    const loginProgram = await writeLoginProgram(folder.path, sandbox);
    const logins = join(folder.path, 'authorized_keys');
    const trust = (keys: readonly string[]) => writeLogins(logins, loginProgram, keys);
    await trust([folder.probeKey]);
    const { kind, close } = await startSsh(folder, sandbox, logins);
    await trust([]);
    await startApps(sandbox);
    return {
      sshPort: folder.sshPort,
      hostKey: folder.hostKey,
      sandbox,
      kind,
      trust,
      async close() {
        await close();
        await sandbox.dispose();
      },
    };
  } catch (error) {
    await sandbox.dispose();
    throw error;
  }
}

async function startSsh(folder: DemoFolder, sandbox: SandboxHost, logins: string) {
  const options = {
    folder: folder.path,
    port: folder.sshPort,
    hostKeyFile: folder.hostKeyFile,
    authorizedKeysFiles: [logins, sandbox.authorizedKeysFile],
    env: sandbox.env,
  };
  const sshd = await startOpenSshHost(options, { privateKeyFile: folder.probeKeyFile });
  if (sshd) return { kind: 'sshd' as const, close: sshd.close };
  const { close } = await startInProcessHost(options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new StartError(
      `The demo's port ${folder.sshPort} on 127.0.0.1 is taken by another program.`,
      `Stop that program, or remove ${join(folder.path, 'demo.json')}: the demo then takes another port, as a new server.`,
    );
  });
  return { kind: 'in-process' as const, close };
}

/** Starts the apps again, like a machine that boots. Apps that were stopped on purpose stay stopped. */
async function startApps(sandbox: SandboxHost): Promise<void> {
  const names = (await readdir(join(sandbox.root, 'apps')))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
  const dokku = (words: string[]) =>
    new Promise<string>((resolve) => {
      const env = { ...sandbox.env, HOME: process.env.HOME };
      // The page shows an app that does not start.
      execFile(join(sandbox.root, 'bin/dokku'), words, { env }, (_error: ExecFileException | null, stdout) =>
        resolve(stdout),
      );
    });
  await Promise.all(
    names.map(async (name) => {
      if (/Restore:\s+true/i.test(await dokku(['ps:report', name]))) await dokku(['ps:start', name]);
    }),
  );
}
