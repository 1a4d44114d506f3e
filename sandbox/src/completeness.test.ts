import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argvFor, NeedsRootError, runsAs } from '@homeport/dokku';
import { everyCommand, nameOf, writtenBuilders } from '@homeport/dokku/testing/every-command';
import { rowsOf } from '@homeport/dokku/testing/transcript';
import { describe, expect, test } from 'vitest';
import { accepted, notReplayed } from '../testing/accepted.ts';
import { stories } from '../testing/stories.ts';
import { commands } from './commands/registry.ts';

const builders = Object.entries(everyCommand);

/** The text of all files of a folder together. */
function sources(folder: string, pattern: RegExp): string {
  return readdirSync(folder)
    .filter((file) => pattern.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

const liveChecks = createRequire(import.meta.url).resolve('@homeport/dokku/live/run-checks');
const live = sources(dirname(liveChecks), /-(?:checks|plugin)\.ts$/);
const tests = sources(dirname(fileURLToPath(import.meta.url)), /\.test\.ts$/);
/** Whether the text calls `dokku.noun.verb(`. */
const isCalled = (text: string, name: string) => text.includes(`dokku.${name}(`);

test('every function that builds a command has an example', () => {
  expect(Object.keys(everyCommand).toSorted()).toEqual(writtenBuilders().toSorted());
});

/** Commands that cannot be tried on a host that has to stay as it was. */
const notLive = new Map([
  ['enter.shell', 'it needs a terminal and somebody who types'],
  ['run.shell', 'it needs a terminal and somebody who types'],
  ['bootstrap.fetchInstaller', 'the host has Dokku already'],
  ['bootstrap.runInstaller', 'it installs or upgrades Dokku'],
  ['plugin.install', 'the plugin stays installed'],
  ['domains.setGlobal', 'the domain holds for every app that is made meanwhile'],
  ['git.syncAndBuild', 'it needs a repository on the web that the host reaches'],
  ['git.fromArchive', 'it needs an archive on stdin, and a build'],
  [
    'leftContainers.remove',
    'a failed deploy has to leave a container, which is old enough after half an hour',
  ],
  ['letsencrypt.enable', 'a certificate needs a public name, and failed requests count against a limit'],
  ['letsencrypt.addCronJob', 'removing the job again fails on real hosts'],
  ['schedules.withdraw', 'it writes the crontab of dokku, where the lines of other schedules may stand'],
  ['schedules.check', 'it needs an S3 address with secrets'],
]);

test('a live check runs each command, or the list gives the reason why none does', () => {
  const missing = builders
    .map(([name]) => name)
    .filter((name) => !isCalled(live, name) && !notLive.has(name));
  expect(missing).toEqual([]);
  expect([...notLive.keys()].filter((name) => isCalled(live, name) || !(name in everyCommand))).toEqual([]);
});

/** The sandbox runs the plugin's own files. */
const isOfOwnPlugin = (name: string) => name.startsWith('homeport:');

test('the sandbox has each Dokku command', () => {
  const missing = builders.filter(
    ([, command]) =>
      command.program === 'dokku' && !commands.has(nameOf(command)) && !isOfOwnPlugin(nameOf(command)),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

/** Commands that the host itself answers: by a shell, or by a program that the sandbox does not replace. */
const byLiveSuite = new Map([
  ['clock.readZone', 'the live suite runs it on the sandbox'],
  ['storage.use', 'the live suite runs it on the sandbox'],
  ['leftReaders.endLeftReaders', 'the live suite runs it on the sandbox'],
  ['leftReaders.removeLeftEnvironments', 'the live suite runs it on the sandbox'],
  ['storageFolder.removeFolder', 'the live suite runs it on the sandbox'],
  ['leftovers.waitForLeftovers', 'the live suite runs it on the sandbox'],
  ['defaultImages.listDefaultImages', 'the live suite runs it on the sandbox'],
  ['network.keepPrivate', 'the live suite runs it on the sandbox'],
  ['network.listUndecided', 'the live suite runs it on the sandbox'],
  ['ending.inspectEnding', 'the live suite runs it on the sandbox'],
  ['placement.write', 'the live suite runs it on the sandbox'],
  ['placement.check', 'the live suite runs it on the sandbox'],
  ['placement.remove', 'the live suite runs it on the sandbox'],
  ['sockets.listening', 'the live suite runs it on the sandbox'],
  ['sockets.addresses', 'the live suite runs it on the sandbox'],
  ['sockets.answers', 'the live suite runs it on the sandbox'],
  ['detached.startDetached', 'a shell of the host runs it'],
  ['detached.readDetached', 'a shell of the host runs it'],
]);

test('a replayed row or a test of the sandbox runs each command', () => {
  const recorded = new Set(
    stories.flatMap(({ file }) =>
      rowsOf(file)
        .filter((row) => row.as === 'root')
        .map(({ argv: [program = '', ...words] }) =>
          program === 'dokku' ? (words.find((word) => !word.startsWith('--')) ?? '') : '',
        ),
    ),
  );
  const missing = builders.filter(
    ([name, command]) =>
      !(command.program === 'dokku' && recorded.has(nameOf(command))) &&
      !isCalled(tests, name) &&
      !byLiveSuite.has(name),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

test('every row that is accepted or left out by name exists in a recording', () => {
  const names = stories.flatMap(({ file }) => rowsOf(file).map((row) => `${file}: ${row.title}`));
  expect([...accepted.keys(), ...notReplayed.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

test('every row after which a story acts exists in a recording', () => {
  const unknown = stories.flatMap(({ file, after = {} }) => {
    const titles = rowsOf(file).map((row) => row.title);
    return Object.keys(after).filter((title) => !titles.includes(title));
  });
  expect(unknown).toEqual([]);
});

test('every kind of story is replayed', () => {
  const replayed = [...tests.matchAll(/^testReplay\('(\w+)'\);$/gm)].map(([, kind]) => kind);
  expect(replayed.toSorted()).toEqual([...new Set(stories.map(({ kind }) => kind))].toSorted());
});

describe('the console’s own account', () => {
  const account = { kind: 'console', user: 'homeport' } as const;
  const refused = (name: string) => {
    const command = everyCommand[name];
    if (!command) throw new Error(`There is no ${name}.`);
    try {
      argvFor(account, command);
      return false;
    } catch (error) {
      if (error instanceof NeedsRootError) return true;
      throw error;
    }
  };

  /** The commands for which the console needs root, each with the reason. */
  const rootOnly = new Map([
    ['bootstrap.fetchInstaller', 'it installs packages'],
    ['bootstrap.runInstaller', 'it installs packages'],
    ['detached.startDetached', 'the installer’s log and exit code are root’s'],
    ['detached.readDetached', 'the installer’s log and exit code are root’s'],
    ['ending.inspectEnding', 'Docker answers root only'],
    ['firewall.status', 'ufw answers root only'],
    ['git.listFiles', 'repositories belong to the user dokku'],
    ['git.readFile', 'repositories belong to the user dokku'],
    ['leftReaders.endLeftReaders', 'processes of sudo belong to root'],
    ['leftReaders.removeLeftEnvironments', 'the files belong to the user dokku'],
    ['placement.write', 'the folder of plugins is root’s'],
    ['placement.check', 'the folder of plugins is root’s'],
    ['placement.remove', 'the folder of plugins is root’s'],
    ['plugin.enable', 'Dokku refuses everybody else'],
    ['plugin.disable', 'Dokku refuses everybody else'],
    ['plugin.install', 'Dokku refuses everybody else'],
    ['sshKeys.add', 'Dokku refuses everybody else'],
    ['sshKeys.remove', 'Dokku refuses everybody else'],
    ['storageFolder.removeFolder', 'containers write files under accounts of their own'],
  ]);

  test('runs every command except those with a reason for root', () => {
    expect(builders.map(([name]) => name).filter(refused)).toEqual([...rootOnly.keys()]);
  });

  test('reaches Dokku only through the one program that its sudo rule names', () => {
    for (const [name, command] of builders) {
      if (rootOnly.has(name)) continue;
      const argv = argvFor(account, command);
      if (command.program === 'dokku') {
        expect(argv.slice(0, 8)).toEqual(['env', 'LC_ALL=C', 'sudo', '-n', '-u', 'dokku', '-H', 'dokku']);
        expect(runsAs(account, command)).toBe('dokku');
      } else {
        expect(argv).not.toContain('sudo');
        expect(runsAs(account, command)).toBe('homeport');
      }
    }
  });
});
