import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { makeDebianRoot } from './debian-root.ts';
import { debName, makeDeb } from './make-deb.mjs';
import { makeTree } from './make-tree.mjs';
import { answers } from './talk-to-console.ts';

const settings = readFileSync(join(root, 'packaging/homeport.env'), 'utf8');
const scripts = ['postinst', 'prerm', 'postrm'].map((name) => join(root, 'packaging/debian', name));
const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-deb-'));
  // The console's own account reads what stands in it.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A tree with little in it: the packing is the same. */
function smallTree(name: string, at: number): string {
  const tree = join(folder, name);
  mkdirSync(join(tree, 'bin'), { recursive: true });
  for (const file of ['main.mjs', 'package.json', 'bin/homeport']) {
    writeFileSync(join(tree, file), `${file} of the newer version\n`);
    utimesSync(join(tree, file), at, at);
  }
  chmodSync(join(tree, 'bin/homeport'), 0o755);
  return tree;
}

const about = { node: { program: process.execPath }, version: '0.2.0-rc.1', cpu: 'x64', at: 1_700_000_000 };
const small = { ...about, node: { program: '/bin/sh', licence: join(root, 'LICENSE') } };

describe('the Debian package', () => {
  it.skipIf(!has('xz'))('has the same bytes for the same tree, whoever packs it and when', () => {
    const made = ['first', 'second'].map((who, turn) => {
      const file = join(folder, `${who}.deb`);
      makeDeb(file, { ...small, tree: smallTree(who, 1_000_000 * (turn + 1)) });
      return createHash('sha256').update(readFileSync(file)).digest('hex');
    });
    expect(made[0]).toBe(made[1]);
  });

  it.skipIf(!has('dpkg-deb'))(
    'names its version, its processor and its size, and brings files of its own alone',
    () => {
      const file = join(folder, debName(about.version, about.cpu));
      expect(file).toMatch(/homeport_0\.2\.0~rc\.1_amd64\.deb$/);
      makeDeb(file, { ...small, tree: smallTree('listed', 1), compress: false });
      const ask = (...args: string[]) => spawnSync('dpkg-deb', args, { encoding: 'utf8' }).stdout;
      expect(ask('--field', file, 'Version', 'Architecture')).toBe(
        'Version: 0.2.0~rc.1\nArchitecture: amd64\n',
      );
      expect(Number(ask('--field', file, 'Installed-Size'))).toBeGreaterThan(50);
      const listed = ask('--contents', file).trim().split('\n');
      expect(listed.filter((line) => !/^\S{10} 0\/0 /.test(line))).toEqual([]);
      expect(
        listed.map((line) => line.split(' ./')[1] ?? '').filter((path) => path !== '' && !path.endsWith('/')),
      ).toEqual([
        'etc/homeport/homeport.env',
        'usr/bin/homeport -> ../lib/homeport/bin/homeport',
        'usr/lib/homeport/bin/LICENSE-node',
        'usr/lib/homeport/bin/homeport',
        'usr/lib/homeport/bin/node',
        'usr/lib/homeport/main.mjs',
        'usr/lib/homeport/package.json',
        'usr/lib/systemd/system/homeport.service',
        'usr/share/doc/homeport/changelog.gz',
        'usr/share/doc/homeport/copyright',
      ]);
    },
  );

  it.skipIf(!has('shellcheck'))('has maintainer scripts without a fault', () => {
    const { stdout } = spawnSync('shellcheck', ['--shell=sh', ...scripts], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  it('has maintainer scripts that stop at an argument that dpkg does not use', () => {
    const { status, stderr } = spawnSync('sh', [scripts[0] ?? '', 'reboot'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'postinst called with unknown argument "reboot"\n',
    });
  });
});

const isDebianRoot = process.getuid?.() === 0 && has('dpkg');

it.skipIf(!isDebianRoot)(
  'is installed, answers, keeps edited settings at an upgrade, keeps data when it is removed, and leaves nothing after a purge',
  { timeout: 600_000 },
  async () => {
    if (!existsSync(join(root, 'homeport/dist/server.js'))) throw new Error('Run `npm run build` first.');
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    makeTree(tree);
    const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { version: string };
    const [older, newer] = [join(folder, 'older.deb'), join(folder, 'newer.deb')];
    makeDeb(older, { ...about, tree, version, compress: false });
    const changed = settings.replace('# Settings of Homeport.', '# Settings of a newer Homeport.');
    makeDeb(newer, {
      ...small,
      tree: smallTree('newer', 1),
      version: '99.0.0',
      settings: changed,
      compress: false,
    });

    const at = join(folder, 'root');
    const machine = makeDebianRoot(at, ['libc6', 'libstdc++6', 'libgcc-s1', 'passwd']);
    machine.dpkg('--install', older);
    expect(machine.takeCalls()).toEqual([
      'deb-systemd-helper unmask homeport.service',
      'deb-systemd-helper --quiet was-enabled homeport.service',
      'deb-systemd-helper enable homeport.service',
      'systemctl --system daemon-reload',
      'deb-systemd-invoke start homeport.service',
    ]);
    const account = machine.account();
    if (account === undefined) throw new Error('The package made no account.');
    expect(modeOf('var/lib/homeport')).toEqual({ ...account, mode: 0o700 });
    expect(modeOf('etc/homeport/homeport.env')).toEqual({ uid: 0, gid: account.gid, mode: 0o640 });
    expect(machine.dpkg('--verify', 'homeport')).toBe('');

    // As the unit starts it: as that account, with the Node of the package, since the environment has none.
    await answers(join(at, 'usr/bin/homeport'), join(at, 'var/lib/homeport'), {
      account,
      env: { PATH: '/usr/bin:/bin' },
    });
    expect(machine.exists('var/lib/homeport/postgres/PG_VERSION')).toBe(true);
    expect(machine.exists('var/lib/homeport/programs')).toBe(false);

    appendFileSync(join(at, 'etc/homeport/homeport.env'), 'HOMEPORT_PORT=7171\n');
    chmodSync(join(at, 'etc/homeport/homeport.env'), 0o600);
    machine.dpkg('--install', newer);
    expect(machine.takeCalls().at(0)).toBe('deb-systemd-invoke stop homeport.service');
    expect(machine.read('etc/homeport/homeport.env')).toBe(`${settings}HOMEPORT_PORT=7171\n`);
    expect(machine.read('etc/homeport/homeport.env.dpkg-dist')).toBe(changed);
    expect(modeOf('etc/homeport/homeport.env').mode).toBe(0o600);
    expect(machine.read('usr/lib/homeport/main.mjs')).toBe('main.mjs of the newer version\n');
    expect(machine.exists('usr/lib/homeport/web')).toBe(false);
    expect(machine.account()).toEqual(account);

    machine.dpkg('--remove', 'homeport');
    expect(machine.takeCalls()).toEqual([
      'deb-systemd-invoke stop homeport.service',
      'systemctl --system daemon-reload',
    ]);
    expect(machine.exists('usr/lib/homeport')).toBe(false);
    expect(machine.exists('usr/bin/homeport')).toBe(false);
    expect(machine.exists('var/lib/homeport/postgres/PG_VERSION')).toBe(true);
    expect(machine.read('etc/homeport/homeport.env')).toContain('HOMEPORT_PORT=7171');

    machine.dpkg('--purge', 'homeport');
    expect(machine.takeCalls()).toContain('deb-systemd-helper purge homeport.service');
    expect(['etc/homeport', 'var/lib/homeport'].filter(machine.exists)).toEqual([]);
    expect(machine.account()).toBeUndefined();

    // A console that root started keeps its data in the same folder.
    mkdirSync(join(at, 'var/lib/homeport'));
    writeFileSync(join(at, 'var/lib/homeport/secret'), 'of the other console');
    expect(() => machine.dpkg('--install', newer)).toThrow(
      'holds the data of a console that another account started',
    );
    machine.dpkg('--purge', 'homeport');
    expect(machine.read('var/lib/homeport/secret')).toBe('of the other console');

    function modeOf(path: string) {
      const { uid, gid, mode } = statSync(join(at, path));
      return { uid, gid, mode: mode & 0o777 };
    }
  },
);
