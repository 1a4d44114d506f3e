import { describe, expect, it } from 'vitest';
import { safeNext } from './safe-next.ts';

const origin = 'https://console.example';

describe('the page wanted before signing in', () => {
  it('is a path of this console', () => {
    expect(safeNext('/server/k1#disk', origin)).toBe('/server/k1#disk');
    expect(safeNext('/apps?sort=name&open=1', origin)).toBe('/apps?sort=name&open=1');
    expect(safeNext('/app/k1/bücher', origin)).toBe('/app/k1/b%C3%BCcher');
  });

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '/\t\\evil.example',
    '\t//evil.example',
    ' //evil.example',
    '\u0000//evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/a/..//evil.example',
    '//evil.example/%2f..',
    '//user@evil.example',
    '//console.example@evil.example',
    '//console.example.evil.example',
    '//console.example:444/',
    '/／evil.example/..//evil.example',
    'https://evil.example',
    'https:/evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'server/k1',
    '@evil.example',
    '.evil.example',
    '',
    undefined,
  ])('is never an address elsewhere: %j', (wanted) => {
    expect(safeNext(wanted, origin)).toBeUndefined();
  });

  it('stays on this console whatever the path holds', () => {
    for (const wanted of ['/@evil.example', '/／evil.example', '/%09/evil.example', '/javascript:alert(1)']) {
      const next = safeNext(wanted, origin);
      expect(new URL(next ?? '', origin).origin).toBe(origin);
      expect(next).toMatch(/^\/[^/\\]/);
    }
  });

  it('is left out when it is /home anyway', () => {
    expect(safeNext('/home', origin)).toBeUndefined();
    expect(safeNext('/x/../home', origin)).toBeUndefined();
  });
});
