import { quoteArgv } from '@homeport/contract/quoting';
import { describe, expect, test } from 'vitest';
import { dokku, hostCommand } from './command.ts';
import { type Account, argvFor, NeedsRootError, runsAs } from './ways.ts';

const root: Account = { kind: 'root' };
const sudo: Account = { kind: 'sudo', user: 'ops' };
const own: Account = { kind: 'console', user: 'homeport' };
const plain: Account = { kind: 'plain', user: 'deploy' };
const restart = dokku('ps:restart', 'hello');

describe('ways in', () => {
  test.each([
    [root, 'env LC_ALL=C dokku ps:restart hello'],
    [sudo, 'env LC_ALL=C sudo -n dokku ps:restart hello'],
    [own, 'env LC_ALL=C sudo -n -u dokku -H dokku ps:restart hello'],
    [plain, 'env LC_ALL=C dokku ps:restart hello'],
  ])('%o sends %s', (account, line) => {
    expect(argvFor(account, restart).join(' ')).toBe(line);
    expect(runsAs(account, restart)).toBe('dokku');
  });

  test('a host command runs as root only when it needs root', () => {
    const ufw = hostCommand(['ufw', 'status'], { needsRoot: true });
    const nproc = hostCommand(['nproc'], { needsRoot: false });
    expect(argvFor(sudo, ufw)).toEqual(['env', 'LC_ALL=C', 'sudo', '-n', 'ufw', 'status']);
    expect(argvFor(sudo, nproc)).toEqual(['env', 'LC_ALL=C', 'nproc']);
    expect(runsAs(sudo, ufw)).toBe('root');
    expect(runsAs(sudo, nproc)).toBe('ops');
  });

  test.each([own, plain])('%o may not send a command that needs root', (account) => {
    expect(() => argvFor(account, dokku('ssh-keys:add', 'alice'))).toThrow(NeedsRootError);
    expect(() => argvFor(account, dokku('plugin:install', 'https://example.com/x.git'))).toThrow(
      NeedsRootError,
    );
    expect(argvFor(account, dokku('plugin:list'))).toContain('plugin:list');
  });

  test('a hostile word stays one word on the line', () => {
    expect(quoteArgv(argvFor(root, dokku('acl:add', 'hello', "'; rm -rf / #")))).toBe(
      `env 'LC_ALL=C' dokku acl:add hello ''\\''; rm -rf / #'`,
    );
  });
});
