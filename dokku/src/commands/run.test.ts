import { commandOutput, commandsListed } from '@homeport/contract/apps/one-off/facts';
import { expect, test } from 'vitest';
import { appName } from '../names/app-name.ts';
import { argvFor } from '../ways.ts';
import * as run from './run.ts';

const hello = appName('hello');
const printed = (stdout: string) => ({ exitCode: 0, stdout, stderr: '' });
const listed = (...names: string[]) =>
  printed(
    JSON.stringify(
      names.map((name, at) => ({
        ...{ name, state: 'running', command: '"sleep 20"' },
        created_at: `2026-11-21 07:31:${10 + at} +0000 UTC`,
      })),
    ),
  );

test('the words stand behind the app, each as it is', () => {
  const words = run.commandWords(['sh', '-c', 'echo "$1"', 'sh', "it's", '', '--force']);
  expect(argvFor({ kind: 'console', user: 'homeport' }, run.attended(hello, words, 3_600))).toEqual([
    ...[
      'env',
      'LC_ALL=C',
      'sudo',
      '-n',
      '-u',
      'dokku',
      '-H',
      'dokku',
      'run',
      '--no-tty',
      '--ttl-seconds',
      '3600',
    ],
    ...['hello', 'sh', '-c', 'echo "$1"', 'sh', "it's", '', '--force'],
  ]);
  expect(run.inBackground(hello, words, 86_400).words.slice(0, 4)).toEqual([
    ...['run:detached', '--ttl-seconds', '86400', 'hello'],
  ]);
});

test('no command is built of words that Dokku takes for itself', () => {
  for (const words of [['ls', '--app', 'other'], ['--env=A=1', 'ls'], ['ls', '--trace'], []])
    expect(() => run.commandWords(words)).toThrow();
});

// As a real 0.38.27 answers.
const recorded =
  '[\n  {\n    "name": "hello.run.26337",\n    "state": "running",\n    "command": "\\"sleep 20\\"",\n    "created_at": "2026-11-21 07:31:58 +0000 UTC"\n  }\n]\n';

test('a container of the list has its command and the time when it was made', () => {
  expect(run.readList(printed(recorded), hello)).toEqual([
    {
      ...{ container: 'hello.run.26337', state: 'running', command: '"sleep 20"' },
      createdAt: Date.UTC(2026, 10, 21, 7, 31, 58),
    },
  ]);
  const summer = recorded.replace('+0000 UTC', '+0200 CEST');
  expect(run.readList(printed(summer), hello)[0]?.createdAt).toBe(Date.UTC(2026, 10, 21, 5, 31, 58));
  expect(run.readList(printed(recorded.replace('2026-11-21', 'soon')), hello)[0]?.createdAt).toBeNull();
  expect(run.readList(printed('[]\n'), hello)).toEqual([]);
});

test('nothing but containers of the app’s own commands is listed, the newest first, and not without end', () => {
  const others = ['dokku.postgres.x', 'hello.web.1', 'other.run.3', 'hello.run.', 'hello.run.3.upcoming-1'];
  const names = run.readList(listed(...others, 'hello.run.1', 'hello.run.2'), hello);
  expect(names.map(({ container }) => container)).toEqual(['hello.run.2', 'hello.run.1']);
  const dotted = appName('hello.app');
  expect(run.readList(listed('hello.app.run.7', 'hello.run.7'), dotted)).toHaveLength(1);
  const many = Array.from({ length: commandsListed.most + 5 }, (_, at) => `hello.run.${at}`);
  expect(run.readList(listed(...many), hello)).toHaveLength(commandsListed.most);
  const long = recorded.replace('sleep 20', 'x'.repeat(10_000));
  expect(run.readList(printed(long), hello)[0]?.command).toHaveLength(commandsListed.characters);
});

test('an answer of another form is no empty list', () => {
  expect(() => run.readList(printed('{"name":"hello.run.1"}'), hello)).toThrow();
  expect(() => run.readList(printed('Error'), hello)).toThrow();
});

test('the name of what was started is the app’s own container or none', () => {
  expect(run.readStarted(printed('hello.run.26337\n'), hello)).toBe('hello.run.26337');
  expect(run.readStarted(printed(' !     warning\nhello.run.5\n'), hello)).toBe('hello.run.5');
  expect(run.readStarted(printed('dokku.postgres.x\n'), hello)).toBeNull();
  expect(run.readStarted(printed(''), hello)).toBeNull();
});

test('a printed command is recognised behind an entry point and with its quotes', () => {
  expect(run.isOf('"/exec sh -c \'echo \\"a\\"\'"', ['sh', '-c', "'echo", '"a"\''])).toBe(true);
  expect(run.isOf('"/exec rails db:migrate"', ['rails', 'db:migrate'])).toBe(true);
  expect(run.isOf('"sleep 20"', ['sleep', '30'])).toBe(false);
});

test('of an output the last lines are read, without colours, each cut', () => {
  const { lines, lineCharacters } = commandOutput;
  const text = `${'x\n'.repeat(lines)}\u001b[31mred\u001b[0m\r\n${'y'.repeat(lineCharacters + 9)}\n`;
  const read = run.readOutput(printed(text));
  expect(read).toHaveLength(lines);
  expect(read.slice(-2)).toEqual(['red', 'y'.repeat(lineCharacters)]);
});
