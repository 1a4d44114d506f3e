import { type ExecFileException, execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pluginFiles } from '@homeport/dokku';
import { prepareSandboxHost, type SandboxHost } from '@homeport/sandbox';
import { StartError } from '../start-error.ts';
import { writeLogins } from './authorized-keys.ts';
import { type DemoFolder, openDemoFolder } from './demo-folder.ts';
import { givePlugin } from './give-plugin.ts';
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
    databases: 'real',
  });
  try {
    const loginProgram = await writeLoginProgram(folder.path, sandbox);
    const logins = join(folder.path, 'authorized_keys');
    const trust = (keys: readonly string[]) => writeLogins(logins, loginProgram, keys);
    await trust([folder.probeKey]);
    const { kind, close } = await startSsh(folder, sandbox, logins);
    await trust([]);
    // Databases take seconds, and the console need not wait for them: an app whose database is not up yet tries again.
    const databases = startDatabases(sandbox);
    await givePlugin(sandbox);
    await dokku(sandbox, ['plugin:enable', pluginFiles.name]);
    await startApps(sandbox);
    return {
      sshPort: folder.sshPort,
      hostKey: folder.hostKey,
      sandbox,
      kind,
      trust,
      async close() {
        await databases;
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

/** Starts the databases again, like a machine that boots. Those that were stopped on purpose stay stopped. */
async function startDatabases(sandbox: SandboxHost): Promise<void> {
  await Promise.all(sandbox.servicesAtBoot().map((words) => dokku(sandbox, words)));
}

/** Starts the apps again, like a machine that boots. Apps that were stopped on purpose stay stopped. */
async function startApps(sandbox: SandboxHost): Promise<void> {
  const names = (await readdir(join(sandbox.root, 'apps')))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
  await Promise.all(
    names.map(async (name) => {
      if (/Restore:\s+true/i.test(await dokku(sandbox, ['ps:report', name])))
        await dokku(sandbox, ['ps:start', name]);
    }),
  );
}

/** Resolves with the output, also of a command that failed: the page shows an app or a database that does not start. */
const dokku = (sandbox: SandboxHost, words: readonly string[]) =>
  new Promise<string>((resolve) => {
    const env = { ...sandbox.env, HOME: process.env.HOME };
    execFile(join(sandbox.root, 'bin/dokku'), words, { env }, (_error: ExecFileException | null, stdout) =>
      resolve(stdout),
    );
  });
