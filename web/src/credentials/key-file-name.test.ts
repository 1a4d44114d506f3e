import { describe, expect, it } from 'vitest';
import { keyFileName } from './key-file-name.ts';

describe('the name of a saved key file', () => {
  it.each([
    ['Ines’ laptop', 'ines-laptop'],
    ['../../etc/passwd', 'etc-passwd'],
    ['$(reboot); rm -rf /', 'reboot-rm-rf'],
    ['Schlüssel', 'schlu-ssel'],
    ['🔑', 'homeport-key'],
    ['-oProxyCommand', 'oproxycommand'],
  ])('of %s is %s', (name, file) => {
    expect(keyFileName(name)).toBe(file);
  });
});
