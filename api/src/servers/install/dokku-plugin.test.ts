import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argvFor, type Command, placement, pluginFiles } from '@homeport/dokku';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Runs the real programs on the test's own folder, as the account of the test. */
const rights = { needsRoot: false };

let scratch: string;
let plugins: string;
let place: string;
let victim: string;

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'homeport-plugin-')));
  plugins = join(scratch, 'plugins');
  place = join(plugins, 'available', pluginFiles.name);
  mkdirSync(join(plugins, 'available'), { recursive: true });
  victim = join(scratch, 'victim');
  mkdirSync(join(victim, 'subcommands'), { recursive: true });
  // Looks like the plugin, so that the link alone tells the difference.
  writeFileSync(join(victim, 'plugin.toml'), 'description = "Tells Homeport lies"\n', { mode: 0o600 });
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function run(command: Command) {
  const [program = '', ...words] = argvFor({ kind: 'root' }, command);
  return spawnSync(program, words, { input: command.stdin ?? '', encoding: 'utf8' });
}

const untouched = () => ({
  names: readdirSync(victim, { recursive: true }).sort(),
  text: readFileSync(join(victim, 'plugin.toml'), 'utf8'),
  modes: [victim, join(victim, 'plugin.toml')].map((path) => statSync(path).mode),
});

test('writes every file, only the commands executable, and leaves nothing else behind', () => {
  expect(run(placement.write(plugins, rights))).toMatchObject({ status: 0 });
  for (const { path, text, executable } of pluginFiles.files) {
    expect(readFileSync(join(place, path), 'utf8')).toBe(text);
    expect(statSync(join(place, path)).mode & 0o777, path).toBe(executable ? 0o755 : 0o644);
  }
  expect(statSync(place).mode & 0o777).toBe(0o755);
  expect(readdirSync(join(plugins, 'available'))).toEqual([pluginFiles.name]);
});

test('replaces an earlier version as a whole, so that none of its files stays', () => {
  run(placement.write(plugins, rights));
  writeFileSync(join(place, 'subcommands/of-an-earlier-version'), '');
  expect(run(placement.write(plugins, rights)).status).toBe(0);
  expect(existsSync(join(place, 'subcommands/of-an-earlier-version'))).toBe(false);
});

test('keeps the earlier version when the new one does not arrive whole', () => {
  run(placement.write(plugins, rights));
  const command = placement.write(plugins, rights);
  const cut = { ...command, stdin: (command.stdin ?? '').split('\n').slice(0, 2).join('\n') };
  expect(run(cut)).toMatchObject({ status: 1, stderr: expect.stringContaining('did not arrive whole') });
  expect(readdirSync(join(plugins, 'available'))).toEqual([pluginFiles.name]);
  expect(readFileSync(join(place, 'subcommands/state'), 'utf8')).not.toBe('');
});

test('deletes its own files', () => {
  run(placement.write(plugins, rights));
  expect(run(placement.check(plugins, rights)).status).toBe(0);
  expect(run(placement.remove(plugins, rights)).status).toBe(0);
  expect(readdirSync(join(plugins, 'available'))).toEqual([]);
});

test('a link that takes the folder’s name while it is written changes nothing where it leads', () => {
  // The account that owns the folder of plugins swaps the new folder while the program decodes the first file.
  const programs = join(scratch, 'programs');
  mkdirSync(programs);
  chmodSync(victim, 0o700);
  const swapping = `#!/bin/sh
here=$(pwd -P)
case $here in *.moved) ;; *) mv "$here" "$here.moved" && ln -s '${victim}' "$here" && echo swapped >'${scratch}/swapped' ;; esac
PATH=\${PATH#*:} exec base64 "$@"
`;
  writeFileSync(join(programs, 'base64'), swapping, { mode: 0o755 });
  const before = untouched();
  const [program = '', ...words] = argvFor({ kind: 'root' }, placement.write(plugins, rights));
  spawnSync(program, words, {
    input: placement.write(plugins, rights).stdin ?? '',
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  });
  expect(readFileSync(join(scratch, 'swapped'), 'utf8')).toBe('swapped\n');
  expect(untouched()).toEqual(before);
});

describe.each([
  ['written', placement.write],
  ['looked at', placement.check],
  ['deleted', placement.remove],
])('when it is %s', (_, command) => {
  test('a link in the place of the plugin is not followed', () => {
    symlinkSync(victim, place);
    const before = untouched();
    expect(run(command(plugins, rights))).toMatchObject({ status: placement.notPossible });
    expect(untouched()).toEqual(before);
    expect(lstatSync(place).isSymbolicLink()).toBe(true);
  });

  test('a link in the place of the folder of plugins is not followed', () => {
    rmSync(join(plugins, 'available'), { recursive: true });
    symlinkSync(victim, join(plugins, 'available'));
    const before = untouched();
    expect(run(command(plugins, rights))).toMatchObject({
      status: placement.notPossible,
      stderr: expect.stringContaining('is reached over a link'),
    });
    expect(untouched()).toEqual(before);
  });

  test('a plugin of somebody else with this name stays', () => {
    mkdirSync(place);
    writeFileSync(join(place, 'plugin.toml'), '[plugin]\ndescription = "Another harbour"\n');
    expect(run(command(plugins, rights))).toMatchObject({
      status: placement.notPossible,
      stderr: expect.stringContaining('another plugin there is called'),
    });
    expect(readdirSync(place)).toEqual(['plugin.toml']);
  });
});
