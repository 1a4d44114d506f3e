import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { expect, vi } from 'vitest';
import { isListening } from './run-caddy.ts';

export type Nginx = AsyncDisposable & { origin: string };

/**
 * Debian's nginx as a website of files.
 *
 * @param files contents by path, such as `a/index.html`
 * @param server more lines for its `server` block
 */
export async function runNginx(files: Record<string, string>, server = ''): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-nginx-'));
  const port = await freePort();
  for (const [path, content] of Object.entries(files)) {
    const at = join(folder, 'www', path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, content);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off; ${temporary}
  types { text/html html; text/css css; text/javascript js; }
  server { listen 127.0.0.1:${port}; root ${folder}/www; ${server} }
}
`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Debian keeps it where an ordinary user does not look.
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  let said = '';
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-20_000);
  });
  await vi.waitFor(async () => expect((await isListening(port)) || said).toBe(true), { timeout: 10_000 });
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
