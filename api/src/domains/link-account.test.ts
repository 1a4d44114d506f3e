import type { CloudflareAccount, ZoneList } from '@homeport/contract/domains/schema';
import type { Problem } from '@homeport/contract/problems/schema';
import { expect, test } from 'vitest';
import { type Answer, bodyOf } from '../http/testing.ts';
import { linkToken, newToken, startCloudflareConsole } from './testing/linked-zones.ts';

const accountOf = (answer: Answer) => bodyOf<{ account: CloudflareAccount | null }>(answer, 200).account;
const fieldsOf = (answer: Answer) => bodyOf<Problem>(answer, 400).fields;

test('a token is linked, with what it may do in words, and never told again', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  for (const name of ['northquay.example', 'harbour.example', 'example.org']) await cloudflare.addZone(name);
  const secret = newToken();
  await cloudflare.grant({
    secret,
    expiresOn: '2031-01-02T03:04:05Z',
    lacks: { editsOf: ['example.org'] },
  });
  const linked = accountOf(await ines.call('PUT /api/zones/account', { secret }));
  expect(linked).toMatchObject({
    kind: 'token',
    email: null,
    lastFour: secret.slice(-4),
    ability: '3 zones readable, records editable in all but example.org.',
    expiresAt: Date.parse('2031-01-02T03:04:05Z'),
    problem: null,
  });
  const listed = await ines.call('GET /api/zones');
  const answers = [await ines.call('GET /api/zones/account'), listed];
  expect(JSON.stringify(answers)).not.toContain(secret.slice(0, -4));
  const { zones } = bodyOf<ZoneList>(listed, 200);
  expect(zones.map(({ name, editable }) => [name, editable])).toEqual([
    ['example.org', false],
    ['harbour.example', true],
    ['northquay.example', true],
  ]);
});

test('the global key goes with its e-mail address, and is told from a token by its form', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  await cloudflare.addZone('northquay.example');
  const key = '0123456789abcdef0123456789abcdef01234';
  await cloudflare.grant({ secret: key, email: 'ines@northquay.example' });
  const wrong = await ines.call('PUT /api/zones/account', { secret: key, email: 'omar@northquay.example' });
  expect(fieldsOf(wrong)).toEqual({
    email: 'Cloudflare does not know this e-mail address together with this key.',
  });
  const alone = await ines.call('PUT /api/zones/account', { secret: key });
  expect(fieldsOf(alone)?.secret).toContain('enter the e-mail address of its account too');
  const linked = await ines.call('PUT /api/zones/account', { secret: key, email: 'ines@northquay.example' });
  expect(accountOf(linked)).toMatchObject({ kind: 'global_key', email: 'ines@northquay.example' });
  const newKey = `cfk_${'k'.repeat(48)}`;
  expect(fieldsOf(await ines.call('PUT /api/zones/account', { secret: newKey }))).toEqual({
    email: 'The global API key goes with the e-mail address of its account.',
  });
});

test('a token of an account is proved by its zones', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  await cloudflare.addZone('northquay.example');
  const secret = `cfat_${'a'.repeat(48)}`;
  await cloudflare.grant({ secret, verifies: false });
  expect(accountOf(await ines.call('PUT /api/zones/account', { secret }))).toMatchObject({
    kind: 'account_token',
  });
  expect((await cloudflare.exchanges()).map(({ path }) => path)).not.toContain('/user/tokens/verify');
});

test.each([
  [{ status: 'disabled' as const }, 'This token is disabled at Cloudflare.'],
  [{ status: 'expired' as const }, 'This token has expired. Make a new one at Cloudflare.'],
  [{ lacks: { zoneRead: true } }, 'This credential lacks the permission Zone Zone Read.'],
  [{ lacks: { dnsRead: true } }, 'This credential lacks the permission Zone DNS Edit.'],
  [{ zones: [] }, 'This token lists no zones: it lacks Zone Zone Read, or no zone was chosen for it.'],
])('a token with %o is refused beside its field, and nothing is kept', async (grant, message) => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines, api } = console;
  await cloudflare.addZone('northquay.example');
  const secret = newToken();
  await cloudflare.grant({ secret, ...grant });
  expect(fieldsOf(await ines.call('PUT /api/zones/account', { secret }))).toEqual({
    secret: message,
  });
  expect(await api.store.db.selectFrom('linked_accounts').selectAll().execute()).toEqual([]);
});

test('a refused credential leaves the linked one in place', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  await cloudflare.addZone('northquay.example');
  const secret = await linkToken(console, ines);
  expect(fieldsOf(await ines.call('PUT /api/zones/account', { secret: newToken() }))).toEqual({
    secret: 'Cloudflare does not know this token.',
  });
  expect(accountOf(await ines.call('GET /api/zones/account'))?.lastFour).toBe(secret.slice(-4));
});

test('unlinking forgets the credential and the zones', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines, api } = console;
  await cloudflare.addZone('northquay.example');
  await linkToken(console, ines);
  expect(accountOf(await ines.call('DELETE /api/zones/account'))).toBeNull();
  expect(bodyOf<ZoneList>(await ines.call('GET /api/zones'), 200)).toMatchObject({
    linked: false,
    zones: [],
  });
  for (const table of ['linked_accounts', 'zones'] as const)
    expect(await api.store.db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test('linking and unlinking are among the person’s security events, and a refused credential is not', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  await cloudflare.addZone('northquay.example');
  await ines.call('PUT /api/zones/account', { secret: newToken() });
  await linkToken(console, ines);
  await ines.call('DELETE /api/zones/account');
  // Nothing is linked any more.
  await ines.call('DELETE /api/zones/account');
  const events = bodyOf<{ kind: string; subject: string | null }[]>(
    await ines.call('GET /api/security-events'),
    200,
  );
  expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['account_unlinked', 'Cloudflare'],
    ['account_linked', 'Cloudflare'],
    ['signed_up', null],
  ]);
});

test('zones are asked for again after five minutes, or by hand', async () => {
  let now = Date.now();
  await using console = await startCloudflareConsole({}, { clock: () => now });
  const { cloudflare, ines } = console;
  await cloudflare.addZone('northquay.example');
  await linkToken(console, ines);
  await cloudflare.addZone('harbour.example');
  await cloudflare.forgetExchanges();
  const refresh = async (byHand: boolean) =>
    bodyOf<ZoneList>(await ines.call('POST /api/zones/refresh', { byHand }), 200).zones.length;
  expect(await refresh(false)).toBe(1);
  expect(await cloudflare.exchanges()).toHaveLength(0);
  expect(await refresh(true)).toBe(2);
  now += 5 * 60_000 - 1;
  await cloudflare.addZone('skerry.example');
  expect(await refresh(false)).toBe(2);
  now += 1;
  expect(await refresh(false)).toBe(3);
});

test('a token that Cloudflare no longer takes is said on the pages, and the zones stay', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  await cloudflare.addZone('northquay.example');
  await cloudflare.revoke(await linkToken(console, ines));
  const problem = bodyOf<Problem>(await ines.call('POST /api/zones/refresh', { byHand: true }), 409);
  expect(problem.recovery).toContain('Link your Cloudflare account again');
  expect(bodyOf<ZoneList>(await ines.call('GET /api/zones'), 200)).toMatchObject({
    zones: [{ name: 'northquay.example' }],
    problem: 'Cloudflare no longer takes your credential.',
  });
});

test('two people who link the same zone do not see each other’s account, zones and credential', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines, api } = console;
  const zone = await cloudflare.addZone('northquay.example');
  const omar = await api.signUp('omar');
  await linkToken(console, ines);
  expect((await omar.call(`GET /api/zones/${zone}`)).status).toBe(404);
  expect((await omar.call(`GET /api/zones/${zone}/records`)).status).toBe(404);
  const his = await linkToken(console, omar);
  await ines.call('DELETE /api/zones/account');
  expect(bodyOf<ZoneList>(await omar.call('GET /api/zones'), 200).zones).toHaveLength(1);
  expect(accountOf(await omar.call('GET /api/zones/account'))?.lastFour).toBe(his.slice(-4));
});

test('a credential sealed with a lost secret says to link again', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines, api } = console;
  const zone = await cloudflare.addZone('northquay.example');
  await linkToken(console, ines);
  await api.store.db
    .updateTable('linked_accounts')
    .set({ sealed: Buffer.alloc(60) })
    .execute();
  const problem = bodyOf<Problem>(await ines.call(`GET /api/zones/${zone}/records`), 409);
  expect(problem.recovery).toBe('Link your Cloudflare account again on the page Profile.');
});

test.each([
  ['its zones', (old: string) => ({ status: 200, body: { ...good, result: [zoneNamed(old)] } })],
  ['its refusal', () => ({ status: 403, body: { ...good, success: false, errors: [badToken] } })],
])('an answer to a credential that was replaced meanwhile does not write %s', async (_what, lateAnswer) => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines } = console;
  await cloudflare.addZone('old.example');
  await cloudflare.addZone('new.example');
  await linkToken(console, ines, { zones: ['old.example'] });
  await cloudflare.holdNext('/zones');
  const refreshing = ines.call('POST /api/zones/refresh', { byHand: true });
  await cloudflare.isHolding();
  await linkToken(console, ines, { zones: ['new.example'] });
  const { status, body } = lateAnswer('old.example');
  const headers = { 'content-type': 'application/json' };
  await cloudflare.answerHeld({ status, headers, body: JSON.stringify(body) });
  await refreshing;
  const { zones, problem } = bodyOf<ZoneList>(await ines.call('GET /api/zones'), 200);
  expect({ names: zones.map(({ name }) => name), problem }).toEqual({
    names: ['new.example'],
    problem: null,
  });
});

const good = { success: true, errors: [], messages: [], result: null };
const badToken = { code: 1000, message: 'Invalid API Token' };
const zoneNamed = (name: string) => ({
  id: 'a'.repeat(32),
  name,
  status: 'active',
  type: 'full',
  created_on: '2026-01-02T03:04:05Z',
});
