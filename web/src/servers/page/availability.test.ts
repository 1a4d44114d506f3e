import { expect, test } from 'vitest';
import { noAppsReason, noImportReason } from './availability.ts';

const server = {
  simulated: false,
  credential: 'password',
  metal: false,
  setup: 'ready',
  dokkuVersion: '0.38.27',
} as const;
const bare = { ...server, dokkuVersion: null };

test('an app can be created on a ready server with Dokku, also while its agent is silent', () => {
  expect(noAppsReason(server)).toBeNull();
});

test('a server whose installation stopped after Dokku answered takes apps', () => {
  const stopped = { ...server, setup: 'failed' } as const;
  expect([noAppsReason(stopped), noImportReason(stopped)]).toEqual([null, null]);
});

test('a server that was never asked for Dokku takes apps as in the api, because the creation asks it', () => {
  const unasked = ['new', 'failed'].map((setup) => noAppsReason({ ...bare, setup } as typeof bare));
  expect(unasked).toEqual([null, null]);
});

test('names the reason why an app cannot be created', () => {
  expect(noAppsReason({ ...server, metal: true })).toMatch(/without Dokku/);
  expect(noAppsReason({ ...server, simulated: true, metal: true })).toMatch(/simulated/);
  expect(noAppsReason({ ...server, credential: null })).toMatch(/read-only/);
});

test('apps can be imported whatever the agent reports, because the server itself tells them', () => {
  expect(noImportReason(server)).toBeNull();
});

test('names the reason why apps cannot be imported', () => {
  expect(noImportReason({ ...server, metal: true })).toMatch(/without Dokku/);
  expect(noImportReason({ ...bare, setup: 'failed' })).toMatch(/first/);
  expect(noImportReason({ ...server, simulated: true })).toMatch(/simulated/);
  expect(noImportReason({ ...server, setup: 'new', credential: null })).toMatch(/read-only/);
});
