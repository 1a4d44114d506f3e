import { expect, test } from 'vitest';
import { noAppsReason, noImportReason } from './availability.ts';

const server = { simulated: false, credential: 'password', metal: false, setup: 'ready' } as const;

test('an app can be created on a ready server with Dokku, also before its first report', () => {
  expect([noAppsReason(server, 'online'), noAppsReason(server, 'no-data')]).toEqual([null, null]);
});

test('names the reason why an app cannot be created', () => {
  expect(noAppsReason(server, 'offline')).toMatch(/offline/);
  expect(noAppsReason({ ...server, metal: true }, 'online')).toMatch(/without Dokku/);
  expect(noAppsReason({ ...server, setup: 'failed' }, 'online')).toMatch(/first/);
  expect(noAppsReason({ ...server, simulated: true, metal: true }, 'online')).toMatch(/simulated/);
  expect(noAppsReason({ ...server, credential: null }, 'online')).toMatch(/read-only/);
});

test('apps can be imported whatever the agent reports, because the server itself tells them', () => {
  expect(noImportReason(server)).toBeNull();
});

test('names the reason why apps cannot be imported', () => {
  expect(noImportReason({ ...server, metal: true })).toMatch(/without Dokku/);
  expect(noImportReason({ ...server, setup: 'failed' })).toMatch(/first/);
  expect(noImportReason({ ...server, simulated: true })).toMatch(/simulated/);
  expect(noImportReason({ ...server, setup: 'new', credential: null })).toMatch(/read-only/);
});
