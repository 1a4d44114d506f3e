import { type RouteKey, routes } from '@homeport/contract/routes';
import { makeKey } from '@homeport/ssh/testing';
import type { Payload } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { password, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { namedKind, plantOneOfEach, smallestPng } from '../testing/plant.ts';

/**
 * A page in another browser shows a change because of a notification. So this test calls every route that changes something, and
 * checks the notifications.
 */
type Change = Payload<'changed'>;

/** How to call the route, and the expected notification, with the record's id if it is known before. `ofAll`: it names no record. */
type Case = { body?: object; topic: Change['topic']; ofAll?: true };

const work = { topic: 'operations' } as const;
const cases: Partial<Record<RouteKey, Case>> = {
  'PATCH /api/profile': { body: { name: 'Ada L.' }, topic: 'profile' },
  'PUT /api/profile/email-change': {
    body: { email: 'ada.l@example.com', password },
    topic: 'profile',
  },
  'DELETE /api/profile/email-change': { topic: 'profile' },
  'PUT /api/profile/avatar': { body: { picture: smallestPng }, topic: 'profile' },
  'DELETE /api/profile/avatar': { topic: 'profile' },
  'PUT /api/profile/password': {
    body: { currentPassword: password, newPassword: 'a better password' },
    topic: 'profile',
  },
  'PUT /api/github/app': { body: { client: 'an-app', secret: 'a-secret' }, topic: 'github' },
  'DELETE /api/github/app': { topic: 'github' },
  'POST /api/sessions/:id/end': { topic: 'sessions' },
  'POST /api/sessions/end-others': { topic: 'sessions' },
  'POST /api/tokens': { body: { name: 'builds', scopes: ['apps:read'], days: 1 }, topic: 'tokens' },
  'DELETE /api/tokens/:id': { topic: 'tokens' },
  'POST /api/tokens/revoke-all': { topic: 'tokens', ofAll: true },
  'POST /api/proposals/:id/decline': { topic: 'proposals' },
  'POST /api/device/:id/approve': { topic: 'security-events' },
  'POST /api/destinations': {
    body: { name: 'chat', target: { kind: 'webhook', url: 'https://hooks.example.com/hook' } },
    topic: 'destinations',
  },
  'PATCH /api/destinations/:id': { body: { version: 1, name: 'room' }, topic: 'destinations' },
  'PUT /api/destinations/:id/hourly-limit': { body: { perHour: 5 }, topic: 'destinations' },
  'PUT /api/destinations/:id/escalation': {
    ...{ body: { afterMinutes: 5, repeatHours: null }, topic: 'destinations' },
  },
  'PUT /api/destinations/:id/quiet-hours': { body: { quietHours: null }, topic: 'destinations' },
  'DELETE /api/destinations/:id': { topic: 'destinations' },
  'POST /api/destinations/:id/test': { topic: 'destinations' },
  'PATCH /api/status-pages/:id': { body: { version: 1, title: 'Sites' }, topic: 'status-pages' },
  'DELETE /api/status-pages/:id': { topic: 'status-pages' },
  'POST /api/status-pages/:id/posts': {
    body: { kind: 'incident', title: 'Slow', state: 'investigating', text: 'We look.' },
    topic: 'status-pages',
  },
  'POST /api/invitations': { body: { email: 'bea@example.com' }, topic: 'invitations' },
  'POST /api/invitations/:id/withdraw': { topic: 'invitations' },
  'POST /api/keys': { body: { name: 'desk', publicKey: makeKey().publicKeyLine }, topic: 'keys' },
  'PATCH /api/keys/:id': { body: { name: 'lap' }, topic: 'keys' },
  'DELETE /api/keys/:id': { topic: 'keys' },
  'PATCH /api/passkeys/:id': { body: { name: 'desktop' }, topic: 'passkeys' },
  'DELETE /api/passkeys/:id': { topic: 'passkeys' },
  'POST /api/servers': {
    body: { name: 'pier', ip: '127.0.0.9', credential: 'password', subdomain: 'pier' },
    topic: 'servers',
  },
  'POST /api/console/confirm': { topic: 'profile' },
  'POST /api/console/backups': { body: { encrypted: false, word: 'plain' }, topic: 'console' },
  'PUT /api/console/status-pages/:id/taken-down': { body: { reason: 'A copy.' }, topic: 'console' },
  'PUT /api/console/backups/plan': { body: { recipient: null, dailyAt: null, keep: 7 }, topic: 'console' },
  'POST /api/console/backups/:id/check': { topic: 'console' },
  'POST /api/console/backups/:id/fetch': { topic: 'security-events' },
  'PATCH /api/servers/:id': { body: { version: 1, name: 'quay' }, topic: 'servers' },
  'PUT /api/servers/:id/address': { body: { version: 1, ip: '127.0.0.8', port: 22 }, topic: 'servers' },
  'PUT /api/servers/:id/host-key': {
    body: { from: null, to: `SHA256:${'A'.repeat(43)}`, algorithm: 'ssh-ed25519' },
    topic: 'servers',
  },
  'POST /api/servers/:id/install': { topic: 'operations' },
  'POST /api/servers/:id/agent': { topic: 'operations' },
  'POST /api/servers/:id/plugin': { topic: 'operations' },
  'POST /api/servers/:id/global-domain': { topic: 'operations' },
  'POST /api/servers/:id/global-domain/keep': { topic: 'servers' },
  'POST /api/servers/:id/commands/allow': { topic: 'servers' },
  'POST /api/servers/:id/commands/forbid': { topic: 'servers' },
  'POST /api/servers/:id/shell/allow': { topic: 'servers' },
  'POST /api/servers/:id/shell/forbid': { topic: 'servers' },
  'POST /api/servers/:id/import': { body: { longnames: ['ledger'] }, topic: 'operations' },
  'POST /api/servers/:id/remove': { body: { uninstall: false }, topic: 'servers' },
  'PATCH /api/apps/:id': { body: { version: 1, name: 'daybook' }, topic: 'apps' },
  'POST /api/apps/:id/start': work,
  'POST /api/apps/:id/stop': work,
  'POST /api/apps/:id/restart': work,
  'POST /api/apps/:id/rebuild': work,
  'POST /api/apps/:id/destroy': { ...work, body: { confirmation: 'destroy' } },
  'POST /api/apps/:id/plan': { ...work, body: { from: 3, plan: 4 } },
  'POST /api/apps/:id/domains': { ...work, body: { domain: 'shop.example.com' } },
  'POST /api/apps/:id/domains/remove': { ...work, body: { domain: 'shop.example.com' } },
  'POST /api/apps/:id/https': { ...work, body: { email: 'ada@example.com' } },
  'POST /api/apps/:id/storage': { ...work, body: { containerPath: '/app/storage' } },
  'POST /api/apps/:id/ports': { ...work, body: { keep: false } },
  'POST /api/apps/:id/go-back': { ...work, body: { sha: 'ab'.repeat(20) } },
  'POST /api/apps/:id/scale': { ...work, body: { processes: [{ type: 'web', from: 1, to: 2 }] } },
  'POST /api/apps/:id/processes/rules': { ...work, body: { stopSeconds: 60 } },
  'POST /api/apps/:id/processes/restart': { ...work, body: { type: 'web' } },
  'POST /api/apps/:id/site': {
    ...work,
    body: { changes: [{ field: 'uploadLimit', from: null, to: '50m' }] },
  },
  'POST /api/apps/:id/checks': {
    ...work,
    body: { modes: [{ type: 'web', from: 'checked', to: 'skipped' }] },
  },
  'POST /api/apps/:id/push-keys': {
    ...work,
    body: { from: ['laptop'], to: [{ key: 'desk', fingerprints: [] }], add: [] },
  },
  'POST /api/apps/:id/commands': { ...work, body: { words: ['ls'] } },
  'POST /api/apps/:id/commands/stop': { ...work, body: { container: 'ledger.run.1' } },
  'POST /api/apps/:id/cron/suspend': { ...work, body: { task: 'o272', command: 'date' } },
  'POST /api/apps/:id/cron/resume': { ...work, body: { task: 'o272', command: 'date' } },
  'POST /api/apps/:id/cron/run': { ...work, body: { task: 'o272', command: 'date' } },
  'POST /api/apps/:id/releases/go-back': { ...work, body: { release: '0mf3kq2v9a1b2c' } },
  'POST /api/apps/:id/releases/remove': { ...work, body: { release: '0mf3kq2v9a1b2c' } },
  'POST /api/apps/:id/left-containers/remove': { ...work, body: { containers: ['ab'.repeat(32)] } },
  'PUT /api/apps/:id/repository': {
    body: { version: 1, repository: { fullName: 'ines/ledger', branch: 'main' } },
    topic: 'apps',
  },
  'PATCH /api/databases/:id': { body: { version: 1, name: 'invoices' }, topic: 'databases' },
  'POST /api/databases/:id/schedule/run': work,
  'POST /api/databases/:id/backup-client': work,
  'POST /api/databases/:id/start': work,
  'POST /api/databases/:id/stop': work,
  'POST /api/databases/:id/restart': work,
  'POST /api/databases/:id/link': { ...work, body: { appLongname: 'ledger' } },
  'POST /api/databases/:id/unlink': { ...work, body: { appLongname: 'ledger' } },
  'POST /api/databases/:id/promote': { ...work, body: { appLongname: 'ledger' } },
  'POST /api/databases/:id/expose': { ...work, body: { address: null, hostPorts: [20_432] } },
  'POST /api/databases/:id/unexpose': work,
  'POST /api/databases/:id/delete': { ...work, body: { confirmation: 'delete' } },
  'POST /api/servers/:id/import-databases': {
    ...work,
    body: { databases: [{ type: 'postgres', longname: 'orders' }] },
  },
  'POST /api/proxies': {
    body: { domain: 'www.example.com', source: 'https://www.example.net' },
    topic: 'proxies',
  },
  'PATCH /api/proxies/:id': { body: { name: 'quay' }, topic: 'proxies' },
  'POST /api/proxies/:id/delete': { body: { confirmation: 'delete' }, topic: 'proxies' },
  'POST /api/proxies/:id/rules': {
    body: { path: '/shop', type: 'simple', target: 'https://shop.example.net' },
    topic: 'proxies',
  },
  'PUT /api/proxies/:id/rules/:rule': {
    body: { path: '/shop', type: 'simple', target: 'https://shop.example.net' },
    topic: 'proxies',
  },
  'POST /api/proxies/:id/rules/:rule/move': { body: { to: 0 }, topic: 'proxies' },
  'POST /api/proxies/:id/rules/:rule/delete': { body: {}, topic: 'proxies' },
  'PUT /api/proxies/:id/tests': { body: { urls: ['/blog/x'] }, topic: 'proxies' },
  'PUT /api/notifications/:id/acknowledgement': {
    ...{ body: { acknowledged: true }, topic: 'notifications', ofAll: true },
  },
  'PUT /api/notifications/:id/mute': { body: { minutes: 60 }, topic: 'notifications', ofAll: true },
  'PUT /api/servers/:id/mute': { body: { minutes: 60 }, topic: 'notifications', ofAll: true },
  'PUT /api/apps/:id/mute': { body: { minutes: 60 }, topic: 'notifications', ofAll: true },
  'PUT /api/servers/:id/notifications': { body: { kind: 'server.disk', on: false }, topic: 'servers' },
  'PUT /api/apps/:id/notifications': { body: { kind: null, on: false }, topic: 'apps' },
  'POST /api/proxies/:id/vouch': { body: { vouched: true }, topic: 'proxies' },
  'PUT /api/proxies/:id/notifications': { body: { kind: 'proxy.domain', on: false }, topic: 'proxies' },
  'PUT /api/apps/:id/uptime': { body: { domain: 'shop.example.com' }, topic: 'apps' },
  'DELETE /api/apps/:id/uptime': { topic: 'apps' },
  'POST /api/operations/:id/retry': { topic: 'operations' },
};

/** The route changes nothing that another page shows. */
const silent: RouteKey[] = [
  // A terminal that waits is in no list. The token that it gets is told (device.test.ts).
  'POST /api/device',
  'POST /api/device/token',
  'POST /api/device/look',
  'POST /api/device/:id/decline',
  'POST /api/servers/:id/firewall',
  // Only the answer shows the line.
  'POST /api/servers/:id/agent-line',
  'POST /api/passkeys/begin',
  // The session is confirmed for some minutes, and no page shows that.
  'POST /api/session/confirm/begin',
  'POST /api/session/confirm',
  'POST /api/apps/:id/https/checks',
  'POST /api/operations/:id/seen',
  // The data planes hear of it, and no page shows what is cached.
  'POST /api/proxies/:id/purge',
  'POST /api/proxies/:id/dry-run',
  'POST /api/proxies/:id/examine',
  'DELETE /api/servers/:id/connection',
];

/** No page is left that could read a record again: the route ends every sign-in. account.test.ts covers it. */
const last: RouteKey[] = ['POST /api/profile/delete'];

/** The route needs a device that makes passkeys. passkeys.test.ts covers it. */
const withDevice: RouteKey[] = ['POST /api/passkeys'];

/** The route needs a program, or what one proposed. proposals.test.ts covers these routes. */
const withProgram: RouteKey[] = [
  'POST /api/proposals',
  'POST /api/proposals/:id/approve',
  'POST /api/proposals/:id/withdraw',
];

/** The route needs GitHub. sign-in-with-github.test.ts, continuous.test.ts and deploy-key.test.ts cover these routes. */
const atGithub: RouteKey[] = [
  'POST /api/github/token',
  'POST /api/profile/avatar/from-github',
  'POST /api/github/link',
  'POST /api/github/link/finish',
  'POST /api/github/unlink',
  'POST /api/github/repositories/refresh',
  'POST /api/apps/:id/continuous-deployment',
  'POST /api/apps/:id/continuous-deployment/remove',
  'POST /api/apps/:id/deploy-commit',
  'POST /api/apps/:id/deploy-key/remove',
];

/** The route needs a server that answers. settings.test.ts and create-app.test.ts of the apps, databases.test.ts, remains.test.ts, dumps.test.ts and schedules.test.ts of the databases, and connection-source.test.ts cover these routes. */
const onServer: RouteKey[] = [
  'POST /api/servers/:id/account',
  'POST /api/servers/:id/dokku',
  'POST /api/apps',
  'POST /api/databases',
  'POST /api/databases/:id/refresh',
  'POST /api/databases/:id/dumps',
  'PUT /api/databases/:id/dumps/:dump',
  'DELETE /api/databases/:id/dumps/:dump',
  'POST /api/databases/:id/dumps/:dump/restore',
  'POST /api/databases/:id/dumps/:dump/test',
  'POST /api/databases/:id/schedule/refresh',
  'PUT /api/databases/:id/schedule',
  'DELETE /api/databases/:id/schedule',
  'POST /api/databases/:id/schedule/check',
  'POST /api/apps/:id/refresh',
  'PATCH /api/apps/:id/environment',
  'POST /api/operations/:id/remove-remains',
  'POST /api/operations/:id/cancel',
  'POST /api/operations/:id/continue',
];

/** The route needs a webhook or a bot that was added, or a message that was sent. destinations.test.ts and link-chat.test.ts cover these routes. */
const withDestination: RouteKey[] = [
  'POST /api/destinations/:id/secret',
  'POST /api/destinations/:id/send-again',
  'POST /api/destinations/:id/chat-link',
  'POST /api/destinations/:id/chat',
];

/**
 * The route needs an incident that was written, or one more page than the things of this test leave to their person. status-pages.test.ts covers
 * these routes.
 */
const withPost: RouteKey[] = [
  'POST /api/status-pages',
  'POST /api/status-pages/:id/updates',
  'POST /api/status-pages/:id/remove-post',
];

/** The route needs Cloudflare. link-account.test.ts and app-dns.test.ts of the domains cover these routes. */
const atCloudflare: RouteKey[] = [
  'PUT /api/zones/account',
  'POST /api/zones/account/check',
  'DELETE /api/zones/account',
  'POST /api/zones/refresh',
  'POST /api/zones/remove-records',
  'POST /api/zones/:id/records',
  'PATCH /api/zones/:id/records/:record',
  'DELETE /api/zones/:id/records/:record',
  'POST /api/apps/:id/dns',
];

/** Pages read these topics again as a whole: no notification names a record. */
const whole: Change['topic'][] = ['profile', 'sessions', 'github', 'console', 'security-events'];

/** The id of the record that a route has made. A new token's record comes with the token. */
const idOf = (answer: unknown) => {
  const made = answer as { id: string } | { record: { id: string } };
  return 'record' in made ? made.record.id : made.id;
};

describe('a change', () => {
  let api: TestApi;
  let ada: TestPerson;
  const heard: Change[] = [];
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signUp('ada');
    await api.store.listener.on('changed', (change) => heard.push(change));
  });
  afterAll(() => api[Symbol.asyncDispose]());

  /** Each edit raises the version of a proxy. */
  const withVersion = async (key: string, id: string | undefined, body: object | undefined) => {
    if (!/proxies\/:id/.test(key) || /\/:id\/(delete|notifications|vouch)$/.test(key)) return body;
    const { version } = (await ada.call(`GET /api/proxies/${id}`)).body as { version: number };
    return { version, ...body };
  };

  it.each(Object.entries(cases) as [RouteKey, Case][])(
    'by %s sends a notification',
    async (key, { body, topic, ofAll }) => {
      const things = await plantOneOfEach(api.store.db, ada.userId);
      const kind = namedKind(key);
      const id = kind && things[kind];
      if (key === 'DELETE /api/apps/:id/uptime')
        await ada.call(`PUT /api/apps/${id}/uptime`, { domain: 'shop.example.com' });
      heard.length = 0;
      const address = key.replace(':id', id ?? '').replace(':rule', things.rules);
      const { status, body: answer } = await ada.call(address, await withVersion(key, id, body));
      expect(status, JSON.stringify(answer)).toBeLessThan(300);
      const made = topic === 'operations' || !id;
      const told = ofAll || whole.includes(topic) ? null : made ? idOf(answer) : id;
      await vi.waitFor(() => expect(heard).toContainEqual({ owner: ada.userId, topic, id: told }), 20_000);
    },
  );

  it('of every kind is covered', () => {
    const known = [
      ...Object.keys(cases),
      ...silent,
      ...onServer,
      ...last,
      ...atCloudflare,
      ...atGithub,
      ...withDevice,
      ...withProgram,
      ...withDestination,
      ...withPost,
    ];
    const changing = Object.keys(routes).filter((key) => !key.startsWith('GET '));
    expect(changing.filter((key) => !known.includes(key))).toEqual([]);
    expect(known.filter((key) => !changing.includes(key))).toEqual([]);
  });
});

describe('two edits of a server that began from the same version', () => {
  it('do not overwrite each other: the second is refused with the result of the first', async () => {
    await using api = await startTestApi();
    const ada = await api.signUp('ada');
    const { servers: server } = await plantOneOfEach(api.store.db, ada.userId);
    const answers = await Promise.all(
      ['quay', 'pier', 'mole'].map((name) => ada.call(`PATCH /api/servers/${server}`, { version: 1, name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const kept = answers.find(({ status }) => status === 200)?.body as { name: string };
    for (const refused of answers.filter(({ status }) => status === 409))
      expect(refused.body).toMatchObject({
        code: 'stale_edit',
        current: { id: server, name: kept.name, version: 2 },
      });
  });
});
