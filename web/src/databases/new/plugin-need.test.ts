import { expect, test } from 'vitest';
import { pluginNeed } from './plugin-need.ts';

const plugins = [
  { type: 'postgres', version: '1.41.0', imageVersion: '17.2' },
  { type: 'redis', version: null, imageVersion: null },
] as const;
const answer = { plugins: [...plugins], installer: 'root' };

test('a plugin is present, missing or not known yet', () => {
  expect(pluginNeed(answer, 'postgres')).toEqual({
    kind: 'present',
    version: '1.41.0',
    imageVersion: '17.2',
  });
  expect(pluginNeed(answer, 'redis')).toEqual({ kind: 'missing', installer: 'root' });
  expect(pluginNeed(answer, 'mongo')).toEqual({ kind: 'missing', installer: 'root' });
  expect(pluginNeed(null, 'postgres')).toEqual({ kind: 'unknown' });
});

test('a missing plugin cannot be installed without an account that can become root', () => {
  expect(pluginNeed({ ...answer, installer: null }, 'redis')).toEqual({ kind: 'refused' });
  expect(pluginNeed({ ...answer, installer: null }, 'postgres')).toMatchObject({ kind: 'present' });
});
