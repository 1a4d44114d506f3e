import { expect, test } from 'vitest';
import { isCurrent } from './is-current.ts';

const now = 1_800_000_000_000;
const kept = {
  part: 'system',
  readAt: now - 1_000,
  plugin: true,
  deployedAt: null,
  changedAt: null,
} as const;

test('what the plugin tells holds until it tells anew; without the plugin each view asks', () => {
  for (const part of ['system', 'deploys', 'resources', 'processes'] as const) {
    expect(isCurrent({ ...kept, part, readAt: 0 }, now)).toBe(true);
    expect(isCurrent({ ...kept, part, plugin: false }, now)).toBe(false);
  }
});

test('ports and limits hold until the next operation, which may leave the containers alone', () => {
  for (const part of ['system', 'resources', 'processes'] as const) {
    expect(isCurrent({ ...kept, part, changedAt: kept.readAt }, now)).toBe(true);
    expect(isCurrent({ ...kept, part, changedAt: now }, now)).toBe(false);
  }
});

test('processes hold until the next deploy or operation', () => {
  expect(isCurrent({ ...kept, part: 'processes', deployedAt: now - 2_000 }, now)).toBe(true);
  expect(isCurrent({ ...kept, part: 'processes', deployedAt: now }, now)).toBe(false);
  expect(isCurrent({ ...kept, part: 'processes', changedAt: now }, now)).toBe(false);
});

test('a readme holds until the next deploy', () => {
  expect(isCurrent({ ...kept, part: 'readme', deployedAt: now - 2_000 }, now)).toBe(true);
  expect(isCurrent({ ...kept, part: 'readme', deployedAt: now }, now)).toBe(false);
});

test('a measured size holds for an hour, and until the next operation', () => {
  expect(isCurrent({ ...kept, part: 'storage' }, now)).toBe(true);
  expect(isCurrent({ ...kept, part: 'storage' }, now + 60 * 60_000)).toBe(false);
  expect(isCurrent({ ...kept, part: 'storage', changedAt: now }, now)).toBe(false);
});
