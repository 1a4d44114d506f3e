import { expect, test } from 'vitest';
import { defaultVersion } from './default-version.ts';

const text = (need: Parameters<typeof defaultVersion>[1]) => defaultVersion('postgres', need).text;

test('the version that the server’s own plugin takes is named, with the plugin’s version', () => {
  const need = { kind: 'present', version: '1.36.0', imageVersion: '16.1' } as const;
  expect(defaultVersion('postgres', need)).toEqual({
    version: '16.1',
    text: 'Empty: 16.1, the default of this server’s plugin 1.36.0.',
  });
});

test('where no server tells it, the help says whose default it names', () => {
  for (const need of [
    { kind: 'present', version: '1.36.0', imageVersion: null },
    { kind: 'missing', installer: 'root' },
    { kind: 'refused' },
    { kind: 'unknown' },
  ] as const)
    expect(text(need)).toContain('Version 1.48.0 of the plugin takes 18.4.');
});
