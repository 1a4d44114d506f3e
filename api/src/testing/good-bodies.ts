import type { RouteKey } from '@homeport/contract/routes';
import { password } from '../http/testing.ts';
import { type Planted, randomName, randomPublicKey, smallestPng } from './plant.ts';

/** A valid body for each route with a body, so that what is refused is the person or the server and not the input. */
const bodies: Partial<Record<RouteKey, (things: Planted) => object>> = {
  'PATCH /api/profile': () => ({ name: 'Ada' }),
  'PUT /api/profile/email-change': () => ({ email: `${randomName()}@example.com`, password }),
  'PUT /api/profile/avatar': () => ({ picture: smallestPng }),
  'PUT /api/profile/password': () => ({ currentPassword: password, newPassword: password }),
  'POST /api/profile/delete': () => ({ confirmation: 'delete', password }),
  'POST /api/invitations': () => ({ email: `${randomName()}@example.com` }),
  'POST /api/keys': () => ({ name: 'laptop', publicKey: randomPublicKey() }),
  'POST /api/tokens': () => ({ name: 'backup', scopes: ['apps:read'], days: 30 }),
  'POST /api/session/confirm': () => ({ by: 'password', password }),
  'POST /api/passkeys': () => ({
    name: 'laptop',
    made: { id: 'AAAA', clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  }),
  'PATCH /api/passkeys/:id': () => ({ name: 'desktop' }),
  'PATCH /api/keys/:id': () => ({ name: 'desktop' }),
  'POST /api/servers': ({ keys }) => ({
    name: 'web',
    ip: '127.0.0.9',
    credential: keys,
    subdomain: randomName(),
  }),
  'PATCH /api/servers/:id': ({ keys }) => ({ version: 1, credential: keys }),
  'PUT /api/servers/:id/host-key': () => ({
    from: null,
    to: `SHA256:${'A'.repeat(43)}`,
    algorithm: 'ssh-ed25519',
  }),
  'POST /api/servers/:id/remove': () => ({ uninstall: false }),
  'POST /api/apps': ({ servers, keys }) => ({ name: 'shop', serverId: servers, keyIds: [keys] }),
  'PATCH /api/apps/:id': () => ({ version: 1, name: 'shop' }),
  'POST /api/apps/:id/destroy': () => ({ confirmation: 'destroy' }),
  'PATCH /api/apps/:id/environment': () => ({ values: { GREETING: 'ahoy' }, restart: false }),
  'POST /api/apps/:id/plan': () => ({ from: 3, plan: 4 }),
  'POST /api/apps/:id/domains': () => ({ domain: 'shop.example.com' }),
  'POST /api/apps/:id/domains/remove': () => ({ domain: 'shop.example.com' }),
  'POST /api/apps/:id/https': () => ({ email: 'ines@example.com' }),
  'POST /api/apps/:id/storage': () => ({ containerPath: '/app/storage' }),
  'POST /api/apps/:id/ports': () => ({ keep: false }),
  'POST /api/apps/:id/left-containers/remove': () => ({ containers: ['ab'.repeat(32)] }),
  'POST /api/servers/:id/import': () => ({ longnames: ['ledger'] }),
  'POST /api/databases': ({ servers }) => ({ name: 'orders', type: 'postgres', serverId: servers }),
  'PATCH /api/databases/:id': () => ({ version: 1, name: 'orders' }),
  'POST /api/databases/:id/link': () => ({ appLongname: 'ledger' }),
  'POST /api/databases/:id/unlink': () => ({ appLongname: 'ledger' }),
  'POST /api/databases/:id/promote': () => ({ appLongname: 'ledger' }),
  'POST /api/databases/:id/expose': () => ({ address: '127.0.0.1', hostPorts: [20_432] }),
  'POST /api/databases/:id/delete': () => ({ confirmation: 'delete' }),
  'PUT /api/databases/:id/schedule': () => ({
    cron: '17 3 * * *',
    paused: false,
    keepCount: 7,
    keepDays: null,
    restoreTest: 'never',
    target: { kind: 'server' },
  }),
  'POST /api/databases/:id/schedule/check': () => ({
    target: {
      kind: 's3',
      endpoint: 'https://s3.example.com',
      region: 'eu',
      bucket: 'backups',
      prefix: '',
      keys: null,
    },
  }),
  'POST /api/databases/:id/dumps/:dump/restore': () => ({ confirmation: 'restore' }),
  'POST /api/servers/:id/import-databases': () => ({
    databases: [{ type: 'postgres', longname: 'orders' }],
  }),
  'POST /api/console/backups': () => ({ encrypted: false, word: 'plain' }),
  'PUT /api/console/backups/plan': () => ({ recipient: null, dailyAt: null, keep: 7 }),
  'POST /api/proxies': () => ({ domain: `${randomName()}.example.com`, source: 'https://www.example.net' }),
  'PATCH /api/proxies/:id': () => ({ version: 1, name: 'shop' }),
  'POST /api/proxies/:id/delete': () => ({ confirmation: 'delete' }),
  'POST /api/proxies/:id/rules': () => ({
    version: 1,
    path: '/shop',
    type: 'simple',
    target: 'https://shop.example.net',
  }),
  'PUT /api/proxies/:id/rules/:rule': () => ({
    version: 1,
    path: '/shop',
    type: 'simple',
    target: 'https://shop.example.net',
  }),
  'POST /api/proxies/:id/rules/:rule/move': () => ({ version: 1, to: 0 }),
  'POST /api/proxies/:id/rules/:rule/delete': () => ({ version: 1 }),
  'PUT /api/proxies/:id/tests': () => ({ version: 1, urls: ['/blog/x'] }),
  'POST /api/proxies/:id/vouch': () => ({ vouched: true }),
  'POST /api/proxies/:id/purge': () => ({}),
  'POST /api/proxies/:id/dry-run': () => ({ url: '/blog/x' }),
  'POST /api/proxies/:id/examine': ({ rules }) => ({ ruleId: rules }),
  'PUT /api/servers/:id/notifications': () => ({ kind: 'server.disk', on: false }),
  'PUT /api/apps/:id/notifications': () => ({ kind: null, on: false }),
  'PUT /api/proxies/:id/notifications': () => ({ kind: 'proxy.domain', on: false }),
  'PUT /api/apps/:id/uptime': () => ({ domain: 'shop.example.com' }),
  'POST /api/github/token': () => ({ token: 'github_pat_0123456789abcdef' }),
  'PUT /api/github/app': () => ({ client: 'an-app', secret: 'a-secret' }),
  'POST /api/github/link/finish': () => ({ code: 'a-code', state: 'a-state' }),
  'POST /api/apps/:id/continuous-deployment': () => ({
    publicKey: randomPublicKey().split(' ').slice(0, 2).join(' '),
    secret: { keyId: '1', sealed: 'A'.repeat(80) },
    workflow: 'name: Deploy',
    repository: 'ines/ledger',
    branch: 'main',
  }),
  'POST /api/apps/:id/deploy-commit': () => ({ repository: 'ines/ledger', ref: 'main' }),
  'PUT /api/zones/account': () => ({ secret: 'cfut_0123456789' }),
  'POST /api/zones/refresh': () => ({ byHand: true }),
  'POST /api/zones/remove-records': ({ zones }) => ({ zones: [{ zone: zones, records: ['0'.repeat(32)] }] }),
  'POST /api/zones/:id/records': () => ({ record: { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 } }),
  'PATCH /api/zones/:id/records/:record': () => ({
    record: { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 },
  }),
  'POST /api/apps/:id/dns': () => ({ domain: 'shop.example.com', seen: [] }),
  'PUT /api/apps/:id/repository': () => ({
    version: 1,
    repository: { fullName: 'ines/ledger', branch: 'main' },
  }),
};

/** @throws Error for a route that has a body and none here. */
export function goodBody(key: RouteKey, things: Planted): object {
  const body = bodies[key];
  if (!body) throw new Error(`Add a good body for ${key} to testing/good-bodies.ts.`);
  return body(things);
}
