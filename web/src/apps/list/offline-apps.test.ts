import { expect, it } from 'vitest';
import { offlineApps } from './offline-apps.ts';

it('names the apps that are down, and neither stopped ones nor those of which nothing is known', () => {
  const checked = [
    { appId: 'down', online: false, state: 'down' },
    { appId: 'stopped', online: false, state: 'paused' },
    { appId: 'new', online: null, state: 'pending' },
    { appId: 'well', online: true, state: 'up' },
  ] as const;
  expect([...offlineApps(checked)]).toEqual(['down']);
});
