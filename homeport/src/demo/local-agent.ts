import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { installCommand } from '@homeport/agent';
import type { SandboxHost } from '@homeport/sandbox';
import { StartError } from '../start-error.ts';

export type AgentOptions = {
  /** The console's address. */
  url: string;
  token: string;
  pings: Partial<Record<'eu' | 'us' | 'asia', string>>;
};

/**
 * Installs the real agent into the folder of the sandbox's machine, as the console would over SSH, and keeps it running. The agent
 * measures this machine. It ends with the sandbox.
 */
export async function runLocalAgent(
  sandbox: SandboxHost,
  { url, token, pings }: AgentOptions,
): Promise<void> {
  // An installation from the page uses the same folder and service name, so it replaces this agent.
  const root = join(sandbox.root, 'machine');
  const install = installCommand(token, {
    url,
    user: userInfo().username,
    pings,
    scheduler: 'none',
    root,
    cgroupRoot: join(root, 'sys/fs/cgroup'),
    backupRuns: join(sandbox.root, 'lib/data/homeport/runs/log'),
  });
  await runHere(sandbox, install.argv, install.stdin);
  const program = join(root, 'usr/local/lib/homeport-agent/homeport-agent');
  const settings = join(root, 'etc/homeport-agent/agent.conf');
  const keep = join(sandbox.root, 'bin/sandbox-keep');
  await runHere(sandbox, [keep, 'homeport-agent', program, '--loop', '--config', settings], '');
}

export async function endLocalAgent(sandbox: SandboxHost): Promise<void> {
  await runHere(sandbox, [join(sandbox.root, 'bin/sandbox-keep'), 'homeport-agent'], '');
}

async function runHere(
  sandbox: SandboxHost,
  [file = '', ...words]: readonly string[],
  stdin: string,
): Promise<void> {
  const child = spawn(file, words, { env: { ...sandbox.env, HOME: userInfo().homedir }, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new StartError(
      `The demo's agent could not be started: ${said.trim()}`,
      'Live numbers need Linux, bash 4 and curl or GNU wget.',
    );
}
