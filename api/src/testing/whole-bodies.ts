import type { RouteKey } from '@homeport/contract/routes';

/** A body that the route takes, from which the tests spoil one field at a time. */
export const wholeBodies: Partial<Record<RouteKey, Record<string, unknown>>> = {
  'PATCH /api/profile': { name: 'Ines' },
  'POST /api/invitations': { email: 'a@example.com' },
  'POST /api/keys': { name: 'laptop', publicKey: 'ssh-ed25519 AAAA' },
  'POST /api/servers': {
    name: 'a',
    ip: '192.0.2.1',
    port: 22,
    username: 'root',
    credential: 'password',
    subdomain: 'a',
    installDokku: true,
  },
  'PATCH /api/servers/:id': {
    version: 1,
    name: 'a',
    description: 'b',
    credential: 'password',
    username: 'root',
    port: 22,
  },
  'PUT /api/servers/:id/host-key': { from: null, to: `SHA256:${'A'.repeat(43)}`, algorithm: null },
  'POST /api/servers/:id/remove': { uninstall: false },
  'POST /api/apps': {
    name: 'a',
    serverId: crypto.randomUUID(),
    plan: 3,
    keyIds: ['0'.repeat(32)],
    httpsEmail: 'a@example.com',
  },
  'PATCH /api/apps/:id': { version: 1, name: 'a' },
  'POST /api/apps/:id/destroy': { confirmation: 'destroy' },
  'PATCH /api/apps/:id/environment': { values: { A: '1' }, from: { A: null }, restart: false },
  'POST /api/apps/:id/plan': { from: 3, plan: 3 },
  'POST /api/apps/:id/domains': { domain: 'a.example.com' },
  'POST /api/apps/:id/domains/remove': { domain: 'a.example.com' },
  'POST /api/apps/:id/https': { email: 'a@example.com' },
  'POST /api/apps/:id/storage': { containerPath: '/app/storage' },
  'PUT /api/apps/:id/uptime': { domain: 'a.example.com', path: '/' },
  'PUT /api/apps/:id/repository': { version: 1, repository: { fullName: 'ines/ledger', branch: 'main' } },
};
