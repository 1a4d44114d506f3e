import { expect, test } from 'vitest';
import { pluginLook } from './plugin-look.ts';

const server = {
  metal: false,
  setup: 'ready',
  login: 'root',
  simulated: false,
  credential: 'password',
  sandbox: false,
  dokkuPlugin: { installed: '1.0.0', offered: '1.0.0' },
} as const;
const without = { ...server, dokkuPlugin: { installed: null, offered: '1.0.0' } };

test('a server without the plugin hears what it would save, and is offered it', () => {
  expect(pluginLook(without)).toMatchObject({ action: 'Install', refusal: null });
});

test('an older plugin is offered the version that this console brings', () => {
  const older = { ...server, dokkuPlugin: { installed: '1.0.0', offered: '1.1.0' } };
  expect(pluginLook(older)).toMatchObject({ action: 'Update', note: expect.stringContaining('1.1.0') });
});

test('a plugin that is up to date needs nothing', () => {
  expect(pluginLook(server)).toMatchObject({ action: null });
});

test('an account that may not become root is told why it cannot install the plugin', () => {
  expect(pluginLook({ ...without, login: 'plain' })?.refusal).toContain('root');
  expect(pluginLook({ ...without, credential: null })?.refusal).toContain('read-only');
});

test('a server without Dokku, one that is not set up, and one without a machine say nothing', () => {
  expect(pluginLook({ ...without, metal: true })).toBeNull();
  expect(pluginLook({ ...without, setup: 'failed' })).toBeNull();
  expect(pluginLook({ ...without, simulated: true })).toBeNull();
});
