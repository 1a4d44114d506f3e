import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { quoteArgv, quoteWord } from './quoting.ts';

const hostile = [
  '',
  ' ',
  "it's",
  "'''",
  '"double"',
  '$(touch /tmp/x)',
  '`id`',
  '$HOME $1',
  'a\nb\n',
  'tab\there',
  '\\',
  '*?[a]',
  '~',
  '~root',
  '!!',
  '; rm -rf /',
  '&& false',
  '| cat',
  '# comment',
  'A=b',
  '-n',
  '😀 ünï',
  '\r\n',
  '\u0001\u007f',
];

describe('quoteArgv', () => {
  it.each(['sh', 'bash'])('gives %s back every word byte for byte', (shell) => {
    const line = quoteArgv(['printf', '%s\\0', ...hostile]);
    const words = execFileSync(shell, ['-c', line]).toString('utf8').split('\0').slice(0, -1);
    expect(words).toEqual(hostile);
  });

  it('never lets a first word become an assignment', () => {
    expect(quoteArgv(['A=b', 'env'])).toBe("'A=b' env");
  });

  it('leaves harmless words readable', () => {
    expect(quoteArgv(['dokku', 'apps:create', 'my-app', '/var/lib/x_1.2@3%4+5,6'])).toBe(
      'dokku apps:create my-app /var/lib/x_1.2@3%4+5,6',
    );
  });

  it('refuses a NUL byte and an empty argv', () => {
    expect(() => quoteWord('a\0b')).toThrow(RangeError);
    expect(() => quoteArgv([])).toThrow(RangeError);
  });
});
