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
