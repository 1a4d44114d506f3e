import { expect, it } from 'vitest';
import { commandLine, loginShellAt, markReader } from './launcher.ts';

it.each([
  ['/bin/bash', 'posix'],
  ['/usr/bin/zsh', 'posix'],
  ['/bin/sh', 'posix'],
  ['/usr/bin/fish', 'unknown'],
  ['/bin/tcsh', 'unknown'],
  ['/bin/rbash', 'unknown'],
  ['/usr/bin/git-shell', 'unknown'],
  ['', 'unknown'],
])('the login shell %j is %s', (path, shell) => {
  expect(loginShellAt(path)).toBe(shell);
});

it('starts a second shell only where the account’s own might not understand the line', () => {
  expect(commandLine(['echo', 'a b'], 'm', {}, 'posix')).toBe(
    `printf "%s %s\\n" m "$$" >&2; exec echo 'a b'`,
  );
  expect(commandLine(['echo', 'a b'], 'm')).toBe(
    `exec sh -c 'printf "%s %s\\n" "$0" "$$" >&2; exec "$@"' m echo 'a b'`,
  );
});

it('takes its line out of a profile’s noise, wherever the text was cut', async () => {
  const reader = markReader('mark');
  const passed = ['pro', 'file\nma', 'rk 12', '34\nerr', 'or'].map((text) => reader.read(Buffer.from(text)));
  expect(Buffer.concat(passed).toString()).toBe('profile\nerror');
  expect(await reader.pid).toBe(1234);
});

it('holds back no more than could be the beginning of its line, so that no byte is read over and over', async () => {
  const reader = markReader('mark');
  let passed = 0;
  for (let n = 0; n < 4_000; n += 1) {
    passed += reader.read(Buffer.from('m')).length;
    expect(n + 1 - passed).toBeLessThan('mark '.length);
  }
  const lookalikes = 'mark 99999999999999\nmark x\nmark \n';
  const rest = reader.read(Buffer.from(`${lookalikes}mark 7\nmark 8\n`));
  expect(rest.toString()).toBe(`mmmm${lookalikes}mark 8\n`);
  expect(await reader.pid).toBe(7);
});

it('looks for its line no longer than a profile may print, and then passes everything on', () => {
  const reader = markReader('mark');
  const noise = Buffer.alloc(65_536, 'n');
  const late = Buffer.from('nmark 1\n');
  const passed = [noise, Buffer.from('n'), late].map((bytes) => reader.read(bytes));
  expect(
    Buffer.concat([...passed, reader.flush()]).equals(Buffer.concat([noise, Buffer.from('n'), late])),
  ).toBe(true);
  expect(passed[2]).toBe(late);
});
