import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteArgv } from '@homeport/contract/quoting';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushByGit } from '../testing/push.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

const [app, bare] = [dokku.appName('ledger'), dokku.appName('bare')];
let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'one-off-'));
  host = await prepareSandboxHost({ root: join(folder, 'host') });
  for (const each of [app, bare]) await run(dokku.apps.create(each));
  await dokkuRun(['config:set', '--no-restart', app, 'TOKEN=canary']);
  const serve = 'require("http").createServer((_, answer) => answer.end()).listen(process.env.PORT)';
  expect(
    pushByGit(host, app, { 'server.js': serve, Procfile: 'web: node server.js\nseed: echo seeds\n' }),
  ).toBe(0);
}, 120_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const run = ({ words }: dokku.Command) => dokkuRun(words);
const dokkuRun = (words: readonly string[]) =>
  new Promise<dokku.Outcome>((resolve) =>
    execFile('dokku', words, { env: host.env }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  );
const attended = (...words: string[]) => run(dokku.run.attended(app, dokku.run.commandWords(words), 60));
const listed = async () => dokku.run.readList(await run(dokku.run.list(app)), app);

test('a command has its own words, both streams, its exit code and the app’s variables, and leaves nothing', async () => {
  expect(
    await attended('sh', '-c', 'echo "$1 $TOKEN $DYNO"; echo err >&2; exit 7', 'sh', "a  'b' $(id)"),
  ).toEqual({
    ...{ exitCode: 7, stderr: 'err\n' },
    stdout: expect.stringMatching(/^a {2}'b' \$\(id\) canary run\.\d+\n$/),
  });
  expect(await listed()).toEqual([]);
});

test('an unknown program, a process of the Procfile, and an app without an image answer as Dokku does', async () => {
  expect(await attended('nosuchprogram')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('executable file not found in $PATH'),
  });
  expect(await attended('seed', 'more')).toMatchObject({ exitCode: 0, stdout: 'seeds more\n' });
  const none = await run(dokku.run.attended(bare, dokku.run.commandWords(['ls']), 60));
  expect(none).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Invalid image stage detected'),
  });
});

test('a command in the background is listed, prints, and is stopped', async () => {
  const words = dokku.run.commandWords(['sh', '-c', 'echo ahoy; exec sleep 600']);
  const container = dokku.run.readStarted(await run(dokku.run.inBackground(app, words, 600)), app);
  if (container === null) throw new Error('It has begun.');
  expect(await listed()).toMatchObject([{ container, state: 'running' }]);
  await expect
    .poll(async () => dokku.run.readOutput(await run(dokku.run.output(container))), { timeout: 20_000 })
    .toEqual(['ahoy']);
  expect(await run(dokku.run.stop(app, container))).toMatchObject({ exitCode: 0, stdout: `${container}\n` });
  expect(await listed()).toEqual([]);
  expect((await run(dokku.run.stop(app, container))).exitCode).toBe(0);
}, 60_000);

/** script(1) gives the command a terminal, as sshd does for a person's. */
const onTerminal = ({ words }: dokku.Command, typed: string) =>
  new Promise<string>((resolve) => {
    const command = quoteArgv(['dokku', ...words]);
    const child = execFile(
      'script',
      ['--quiet', '--command', command, '/dev/null'],
      { env: host.env },
      (_, shown) => resolve(shown),
    );
    child.stdin?.write(typed);
  });

test('a shell on a terminal is in the running container, or in a new one that goes with it', async () => {
  const typed = 'echo "on $DYNO with $TOKEN and $TERM"; tty -s && echo "a ter""minal"; exit\n';
  const mark = dokku.enter.terminalMarkSchema.parse('0a'.repeat(9));
  const inside = await onTerminal(dokku.enter.shell(app, 'web.1', mark), typed);
  expect(inside).toContain('on web.1 with canary and xterm-256color');
  expect(inside).toContain('a terminal');
  expect(await onTerminal(dokku.run.shell(app, 60, mark), typed)).toMatch(
    /on run\.\d+ with canary and xterm-256color/,
  );
  expect(await listed()).toEqual([]);
}, 60_000);
