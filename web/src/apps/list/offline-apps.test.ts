import { expect, it } from 'vitest';
import { offlineApps } from './offline-apps.ts';

it('names the apps that are down, and no stopped or unknown apps', () => {
  const checked = [
    { appId: 'down', online: false, state: 'down' },
    { appId: 'stopped', online: false, state: 'paused' },
    { appId: 'new', online: null, state: 'pending' },
    { appId: 'well', online: true, state: 'up' },
  ] as const;
  expect([...offlineApps(checked)]).toEqual(['down']);
});
