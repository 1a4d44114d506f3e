import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';

const guide = fileURLToPath(new URL('../../../docs/proxy-operator.md', import.meta.url));

export type Caddy = { process: ChildProcess; stop(): Promise<void> };

/** The Caddyfiles of the operator's guide, in their order: the whole one, one with a secret, one behind Cloudflare. */
export async function guideCaddyfiles(): Promise<string[]> {
  const shown = [...(await readFile(guide, 'utf8')).matchAll(/```caddyfile\n([\s\S]*?)```/g)];
  return shown.map(([, text = '']) => text);
}

/** Starts Debian's Caddy. Resolves when it answers on the port. Its files stay in the folder. */
export async function runCaddy(
  folder: string,
  config: string,
  { port, env = {} }: { port: number; env?: Record<string, string> },
): Promise<Caddy> {
  const file = join(folder, 'Caddyfile');
  await writeFile(file, config);
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Caddy keeps its keys here, and nothing in the home folder.
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...env },
  });
  let said = '';
  caddy.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-20_000);
  });
  await vi.waitFor(async () => expect((await isListening(port)) || said).toBe(true), { timeout: 20_000 });
  return {
    process: caddy,
    async stop() {
      if (caddy.exitCode !== null || caddy.signalCode !== null) return;
      const ended = once(caddy, 'exit');
      caddy.kill('SIGTERM');
      await ended;
    },
  };
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
