import { createGate, everyNetwork } from '@homeport/egress';
import { newPushKeys } from '../notifications/web-push/push-keys.ts';
import { createSealer } from '../sealing/sealer.ts';

/** What the targets of destinations are sealed with in tests of news. */
export const sealer = createSealer({ secret: 'of the tests of news, 32 characters', previous: null });

/** Lets everything through, because the servers of tests listen on loopback. */
export const openGate = createGate({
  ...{ exceptions: everyNetwork, openOwnPorts: [], console: { ports: [], names: [] }, mixedName: 'refuse' },
});

/** The console's keys for push services in tests of news. */
export const pushKeys = newPushKeys();
