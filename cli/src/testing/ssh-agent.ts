import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

type KeyType = 'ed25519' | 'ecdsa' | 'rsa';

/** For tests: OpenSSH's own agent, on a socket in a folder of its own. */
export interface TestAgent extends AsyncDisposable {
  path: string;
  folder: string;
  /** Makes a key and returns its `.pub` line. `add` puts it into the agent, with these words of ssh-add(1). */
  makeKey(type: KeyType, name?: string): { publicLine: string; add(...words: string[]): void };
  /** Ends the agent at once. */
  kill(): Promise<void>;
}

/** `confirms`: what the person answers where a key was added with `-c`. */
export async function startSshAgent(confirms = true): Promise<TestAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-agent-'));
  const path = join(folder, 'socket');
  const askpass = join(folder, 'askpass');
  writeFileSync(askpass, `#!/bin/sh\nexit ${confirms ? 0 : 1}\n`, { mode: 0o755 });
  const agent: ChildProcess = spawn('ssh-agent', ['-D', '-a', path], {
    stdio: 'ignore',
    env: { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
  });
  const ended = once(agent, 'exit');
  while (!existsSync(path)) {
    if (agent.exitCode !== null) throw new Error('ssh-agent ended at once.');
    await wait(5);
  }
  const kill = async () => {
    if (agent.exitCode === null && agent.signalCode === null) agent.kill('SIGKILL');
    await ended;
  };
  return {
    path,
    folder,
    makeKey(type, name = type) {
      const file = join(folder, name);
      const size = type === 'rsa' ? ['-b', '2048'] : type === 'ecdsa' ? ['-b', '256'] : [];
      execFileSync('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', 'test', '-f', file]);
      return {
        publicLine: readFileSync(`${file}.pub`, 'utf8').trim(),
        add: (...words) =>
          void execFileSync('ssh-add', ['-q', ...words, file], {
            env: { ...process.env, SSH_AUTH_SOCK: path },
            stdio: 'pipe',
          }),
      };
    },
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
