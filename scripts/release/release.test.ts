import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { thirdParties } from './collect-packages.mjs';
import { makeTree, packTree } from './make-tree.mjs';
import { answers } from './talk-to-console.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-release-'));
  // Another user reads what stands in it.
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Debian's user nobody, which may write nowhere here; without root the user of the tests, before whom the tree is closed. */
const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

describe('the tree of a release', () => {
  it('runs from a folder that nobody may write, as a user without rights, until it is ended', {
    timeout: 300_000,
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
    const helped = spawnSync(homeport, ['--help'], { ...somebody, env, encoding: 'utf8' });
    expect(helped.stdout.startsWith('Usage: homeport [options]\n')).toBe(true);
    expect(helped.stdout).not.toContain('npm start');

    const data = join(folder, 'data');
    spawnSync('install', ['-d', ...(somebody ? ['-o', '65534', '-g', '65534'] : []), '-m', '700', data]);
    try {
      await answers(homeport, data, {
        ...(somebody ? { account: somebody } : {}),
        env,
        asking: async (port) => {
          const textOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
          expect(await textOf('/login')).toContain('<title>');
          expect(await textOf('/api/agent/install.sh')).toContain('homeport_agent');
        },
      });
      // The programs of PostgreSQL run where they lie.
      expect(existsSync(join(data, 'programs'))).toBe(false);
    } finally {
      spawnSync('chmod', ['-R', 'u+w', tree]);
    }
  });

  it('is the same whoever makes it, and holds nothing but the console', { timeout: 300_000 }, () => {
    const [first = '', second = ''] = ['first', 'second'].map((who) => join(folder, who));
    const umask = process.umask(0o077);
    makeTree(first);
    process.umask(0o022);
    makeTree(second);
    process.umask(umask);
    const files = listTree(first);
    expect(listTree(second)).toEqual(files);

    expect(readdirSync(first).sort()).toEqual(
      [
        ...[
          'CHANGELOG.md',
          'LICENSE',
          'README.md',
          'SECURITY.md',
          'THIRD-PARTY-LICENSES.txt',
          'agent',
          'api',
          'bin',
        ],
        ...['docs', 'dokku', 'homeport', 'main.mjs', 'node_modules', 'package.json', 'store', 'web'],
      ].sort(),
    );
    // No sources of ours, and nothing that somebody but its owner may write.
    const ours = files.filter(({ path }) => !path.startsWith('node_modules/'));
    expect(ours.filter(({ path }) => /\.tsx?$/.test(path))).toEqual([]);
    expect(files.filter(({ mode }) => ![0o644, 0o755, 0o777].includes(mode))).toEqual([]);
    // No tests and no types of packages either.
    expect(
      files.filter(({ path }) => /^node_modules\/(pino|thread-stream)\/test\/|\.d\.ts$/.test(path)),
    ).toEqual([]);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(bytes / 1_000_000).toBeLessThanOrEqual(95);
    expect(files.length).toBeLessThanOrEqual(3_000);

    const licences = readFileSync(join(first, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const loaded = files.flatMap(
      ({ path }) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? [],
    );
    expect(loaded).toEqual(expect.arrayContaining(['pino', 'ssh2', '@node-rs/argon2']));
    expect(loaded.filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
  });

  it('names the licence of every package whose code it may hold', () => {
    const all = thirdParties();
    const named = new Set(all.map(({ name, version }) => `${name} ${version}`));
    expect([...named]).toEqual(expect.arrayContaining([expect.stringMatching(/^react /)]));
    expect(installedForProduction().filter((each) => !named.has(each))).toEqual([]);
    expect(all.filter(({ license }) => license === '')).toEqual([]);
  });
});

/** What npm says of the packages that a console needs without those for its development. */
function installedForProduction(): string[] {
  const asked = spawnSync('npm', ['ls', '--all', '--omit=dev', '--parseable', '--long'], {
    cwd: root,
    encoding: 'utf8',
  });
  const listed = asked.stdout.split('\n').flatMap((line) => {
    const [path = '', name = ''] = line.split(':');
    return path.includes('/node_modules/') && !name.startsWith('@homeport/')
      ? [name.replace(/@([^@]+)$/, ' $1')]
      : [];
  });
  expect(listed.length).toBeGreaterThan(100);
  return listed;
}

type Listed = { path: string; mode: number; size: number; content: string };

/** The files and links below a folder. */
function listTree(tree: string): Listed[] {
  return (readdirSync(tree, { recursive: true }) as string[]).sort().flatMap((path) => {
    const at = join(tree, path);
    const found = lstatSync(at);
    if (found.isDirectory()) return [];
    const content = found.isSymbolicLink()
      ? readlinkSync(at)
      : createHash('sha256').update(readFileSync(at)).digest('hex');
    return [{ path, mode: found.mode & 0o777, size: found.size, content }];
  });
}

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
