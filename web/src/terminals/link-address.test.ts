import { expect, test } from 'vitest';
import { shownAddress } from './link-address.ts';

test('the address beside the pointer is the one that opens, with other scripts spelled out', () => {
  expect(shownAddress('https://bank.example/a')).toBe('https://bank.example/a');
  expect(shownAddress('https://b\u0430nk.example/')).toBe('https://xn--bnk-6cd.example/');
  expect(shownAddress('https://evil.example/\u202emoc.knab')).toBe('https://evil.example/%E2%80%AEmoc.knab');
  expect(shownAddress('HTTPS:\\\\evil.example\\x')).toBe('https://evil.example/x');
});

test('a long address is cut, and what leads nowhere shows nothing', () => {
  expect(shownAddress(`https://long.example/${'x'.repeat(5_000)}`)).toHaveLength(500);
  for (const nowhere of ['no address', 'javascript:alert(1)', 'file:///etc/passwd', ''])
    expect(shownAddress(nowhere)).toBe('');
});
