import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { appName } from '../names/app-name.ts';
import { argvFor } from '../ways.ts';
import * as enter from './enter.ts';
import * as run from './run.ts';

const hello = appName('hello');

test('a shell is asked for in words that a second reading as shell text leaves as they are', () => {
  const words = enter.shell(hello, 'web.1').words;
  expect(words).toEqual(['enter', 'hello', 'web.1', 'env', 'TERM=xterm-256color', 'sh']);
  const again = spawnSync('bash', ['-c', 'eval echo "$@"', 'exec', ...words], { encoding: 'utf8' });
  expect(again.stdout).toBe(`${words.join(' ')}\n`);
  expect(argvFor({ kind: 'console', user: 'homeport' }, run.shell(hello, 60)).slice(7)).toEqual([
    ...['dokku', 'run', '--ttl-seconds', '60', 'hello', 'env', 'TERM=xterm-256color', 'sh'],
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

test('only a one-off container of the app is one', () => {
  expect(run.containerOfShell(hello, 'run.26337')).toBe('hello.run.26337');
  for (const dyno of ['web.1', '', 'run.', 'run.1.2', 'run.x'])
    expect(run.containerOfShell(hello, dyno)).toBeNull();
});
