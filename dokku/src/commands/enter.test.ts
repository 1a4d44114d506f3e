import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { appName } from '../names/app-name.ts';
import { argvFor } from '../ways.ts';
import * as enter from './enter.ts';
import * as run from './run.ts';

const hello = appName('hello');
const mark = enter.terminalMarkSchema.parse('0a1b2c3d4e5f607182');
const variable = 'HOMEPORT_TERMINAL=0a1b2c3d4e5f607182';

test('a shell is asked for in words that a second reading as shell text leaves as they are', () => {
  const words = enter.shell(hello, 'web.1', mark).words;
  expect(words).toEqual(['enter', 'hello', 'web.1', 'env', 'TERM=xterm-256color', variable, 'sh']);
  const again = spawnSync('bash', ['-c', 'eval echo "$@"', 'exec', ...words], { encoding: 'utf8' });
  expect(again.stdout).toBe(`${words.join(' ')}\n`);
  expect(argvFor({ kind: 'console', user: 'homeport' }, run.shell(hello, 60, mark)).slice(7)).toEqual([
    ...['dokku', 'run', '--ttl-seconds', '60', 'hello', 'env', 'TERM=xterm-256color', variable, 'sh'],
  ]);
});

test('what is typed first does not hold the mark itself, which the screen repeats', () => {
  expect(enter.openingLines('homeport-0a1b', 900)).not.toContain('homeport-0a1b');
});

test('the place is the session and the container; anything else is none', () => {
  expect(enter.readPlace('homeport-0a1b 4711 web.1\r')).toEqual({ session: 4711, dyno: 'web.1' });
  expect(enter.readPlace('homeport-0a1b 4711 ')).toEqual({ session: 4711, dyno: '' });
  for (const line of [
    'homeport-0a1b',
    'homeport-0a1b -1 x',
    'homeport-0a1b 1;reboot x',
    'homeport-0a1b 12345678901 x',
  ])
    expect(enter.readPlace(line)).toBeNull();
  expect(enter.readPlace('homeport-0a1b 7 $(reboot)')).toEqual({ session: 7, dyno: '' });
});

test('the container of a shell is the one that runs its words, or that names itself so', () => {
  const rows = [
    { name: 'hello.run.1', state: 'running', command: '"/bin/sh"', created_at: '' },
    {
      name: 'hello.run.2',
      state: 'running',
      command: `"env TERM=xterm-256color ${variable} sh"`,
      created_at: '',
    },
  ];
  const outcome = { exitCode: 0, stdout: JSON.stringify(rows), stderr: '' };
  const listed = run.readList(outcome, hello);
  expect(run.containerOfShell(listed, hello, { mark, dyno: null })).toBe('hello.run.2');
  const other = enter.terminalMarkSchema.parse('ff'.repeat(9));
  expect(run.containerOfShell(listed, hello, { mark: other, dyno: 'run.1' })).toBe('hello.run.1');
  for (const dyno of [null, '', 'web.1', 'run.3'])
    expect(run.containerOfShell(listed, hello, { mark: other, dyno })).toBeNull();
});

test('a mark is letters and digits alone', () => {
  for (const wrong of ['', '0a', 'zz'.repeat(9), `${'0a'.repeat(9)};`])
    expect(enter.terminalMarkSchema.safeParse(wrong).success).toBe(false);
});
