import { describe, expect, it } from 'vitest';
import { isExistingDomain, newDomain } from './domain-name.ts';
import { hostnameSchema } from './schema.ts';

describe('a new domain', () => {
  it.each([
    ['EXAMPLE.com.', 'example.com'],
    [' a-b.example.co.uk ', 'a-b.example.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['4.example', '4.example'],
  ])('%s is kept as %s', (typed, kept) => {
    expect(newDomain(typed)).toBe(kept);
    expect(hostnameSchema.parse(typed)).toBe(kept);
  });

  it.each([
    'localhost',
    '192.0.2.1',
    '0x7f.1',
    'www.1',
    'a.example:80',
    'a/b.example',
    'a..example',
    '-a.example',
    'a-.example',
    'a_b.example',
    '*.example.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    '',
  ])('%j is none', (typed) => {
    expect(newDomain(typed)).toBeNull();
    expect(hostnameSchema.safeParse(typed).success).toBe(false);
  });
});

describe('an existing domain', () => {
  it.each(['a_b.example', '*.example.com', 'a..b', 'CAPS.example', 'localhost'])('may be %s', (name) => {
    expect(isExistingDomain(name)).toBe(true);
  });

  it.each(['-x.com', '--global', 'a b.example', 'a\nb.example', 'bücher.example', ''])(
    'is not %j',
    (name) => {
      expect(isExistingDomain(name)).toBe(false);
    },
  );
});
