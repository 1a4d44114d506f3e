import { expect, test } from 'vitest';
import { globalDomainLook } from './global-domain-look.ts';

const server: Parameters<typeof globalDomainLook>[0] = {
  globalDomains: { found: ['dokku.example'], kept: false },
  ip: '203.0.113.24',
  setup: 'ready',
  subdomain: 'lantern',
};

test('a server that kept its global domain names it, and the one that Homeport would use', () => {
  const look = globalDomainLook(server, 'apps.example');
  expect(look).toMatchObject({ found: 'dokku.example', wanted: 'lantern.apps.example' });
  expect(look?.title).toBe(
    'This server has the global domain dokku.example. Homeport would use lantern.apps.example.',
  );
  expect(look?.keep).toContain('nothing changes on the server');
  expect(look?.replace).toContain('Apps that exist keep their domains.');
});

test('several global domains are all named', () => {
  const two = { ...server, globalDomains: { found: ['a.example', 'b.example'], kept: false } };
  expect(globalDomainLook(two, null)?.title).toBe(
    'This server has the global domains a.example, b.example. Homeport would use 203.0.113.24.sslip.io.',
  );
});

test('of a server with a name the domain may stay, and Homeport sets none in its place', () => {
  const look = globalDomainLook({ ...server, ip: 'vps.example.com' }, null);
  expect(look).toMatchObject({ title: 'This server has the global domain dokku.example.', replace: null });
  expect(look?.keep).toContain('dokku domains:clear-global');
});

test('nothing is asked where nothing else was found, before the server is set up, and of the domain that is in use', () => {
  expect(globalDomainLook({ ...server, globalDomains: null }, null)).toBeNull();
  expect(globalDomainLook({ ...server, setup: 'failed' }, null)).toBeNull();
  const same = { ...server, globalDomains: { found: ['lantern.apps.example'], kept: true } };
  expect(globalDomainLook(same, 'apps.example')).toBeNull();
});
