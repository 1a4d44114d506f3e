import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Front, FrontPlan } from './balancer.ts';

/** Debian's Caddy with the lines of the operator's guide for two replicas, over http on a loopback port. */
export async function startCaddyFront({ port, replicas, folder, guide }: FrontPlan): Promise<Front> {
  const shown = [...guide.matchAll(/```caddyfile\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const lines = shown.find((text) => text.includes('lb_policy')) ?? '';
  const [console, own] = ['console.example.com {', '127.0.0.1:7070 127.0.0.1:7170'];
  expect(lines).toContain(console);
  expect(lines).toContain(own);
  const config = lines
    .replace(console, `http://:${port} {\n\tbind 127.0.0.1`)
    .replace(own, replicas.map((each) => `127.0.0.1:${each}`).join(' '));
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${config}`);
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let said = '';
  caddy.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-20_000);
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok || said,
      () => said,
    );
  await vi.waitFor(async () => expect(await answers()).toBe(true), { timeout: 20_000 });
  return {
    // The cookie's value is an HMAC of the replica's address, with the empty secret where none is given.
    replicaOf: (cookies) =>
      replicas.find((each) =>
        cookies
          .split('; ')
          .includes(`lb=${createHmac('sha256', '').update(`127.0.0.1:${each}`).digest('hex')}`),
      ),
    async stop() {
      if (caddy.exitCode !== null || caddy.signalCode !== null) return;
      const ended = once(caddy, 'exit');
      caddy.kill('SIGTERM');
      await ended;
    },
  };
}
