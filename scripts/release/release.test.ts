import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { thirdParties } from './collect-packages.mjs';
import { makeTree, packTree } from './make-tree.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-release-'));
  // Another user reads what stands in it.
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Debian's user nobody, which may write nowhere here; without root the user of the tests, before whom the tree is closed. */
const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe('the tree of a release', () => {
  it('runs from a folder that nobody may write, as a user without rights, until it is ended', {
    timeout: 120_000,
  }, async () => {
    if (!existsSync(join(root, 'web/dist/index.html')) || !existsSync(join(root, 'homeport/dist/server.js')))
      throw new Error('Run `npm run build` first.');
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    makeTree(tree);
    spawnSync('chmod', ['-R', 'a-w', tree]);
    const homeport = join(tree, 'bin/homeport');
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const asked = spawnSync(homeport, ['--version'], { ...somebody, env, encoding: 'utf8' });
    expect(asked.stdout.trim()).toBe(version);

    const data = join(folder, 'data');
    spawnSync('install', [
      '-d',
      ...('uid' in somebody ? ['-o', '65534', '-g', '65534'] : []),
      '-m',
      '700',
      data,
    ]);
    const port = await freePort();
    const program = spawn(homeport, ['--data', data, '--port', String(port)], {
      ...{ ...somebody, env, cwd: '/' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    const ended = new Promise((resolve) => program.once('close', (code, signal) => resolve(signal ?? code)));
    const answerOf = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        (answer) => answer.text().then((text) => ({ status: answer.status, text })),
        () => null,
      );
    try {
      await expect
        .poll(async () => (await answerOf('/readyz'))?.status ?? printed, { timeout: 60_000, interval: 100 })
        .toBe(200);
      expect((await answerOf('/login'))?.text).toContain('<title>');
      expect((await answerOf('/api/agent/install.sh'))?.text).toContain('homeport_agent');
      // The password is hashed by a package of its own, and the answer needs the store.
      expect((await signUp(port)).status).toBe(200);
      // The programs of PostgreSQL run where they lie.
      expect(existsSync(join(data, 'programs'))).toBe(false);
    } finally {
      program.kill('SIGTERM');
      expect(await ended).toBe(0);
      spawnSync('chmod', ['-R', 'u+w', tree]);
    }
  });

  it('names the licence of every package whose code it may hold', () => {
    const all = thirdParties();
    expect(all.length).toBeGreaterThan(100);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'react', 'pg', 'ssh2']));
  });
});

describe('the archive', () => {
  it('has the same bytes for the same tree, whoever packs it and when', () => {
    const packed = ['first', 'second'].map((who, turn) => {
      const tree = join(folder, who, 'homeport');
      mkdirSync(join(tree, 'bin'), { recursive: true });
      // In another order, at other times.
      for (const file of turn === 0 ? ['b', 'a'] : ['a', 'b']) {
        writeFileSync(join(tree, file), file.repeat(1_000));
        utimesSync(join(tree, file), 1_000_000 * (turn + 1), 1_000_000 * (turn + 1));
      }
      const archive = join(folder, who, 'homeport.tar.gz');
      packTree(tree, archive, 1_700_000_000);
      return createHash('sha256').update(readFileSync(archive)).digest('hex');
    });
    expect(packed[0]).toBe(packed[1]);
  });

  it('says what could not be packed', () => {
    expect(() => packTree(join(folder, 'none/homeport'), join(folder, 'x.tar.gz'), 0)).toThrow('tar failed');
  });
});

function signUp(port: number): Promise<Response> {
  const origin = `http://127.0.0.1:${port}`;
  return fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'three quiet harbours' }),
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
