import { randomUUID } from 'node:crypto';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import { createPushService, startChat } from '@homeport/stand-ins/chats';
import { beforeAll, expect, test } from 'vitest';
import { createNewsGate } from '../../remote/target-policy.ts';
import { believing, type Certificate, makeCertificate } from '../../testing/certificate.ts';
import { openGate, pushKeys, sealer } from '../../testing/way-of-news.ts';
import {
  cameBack,
  deliverSealed,
  deliverTo,
  hostileName,
  hugeNews,
  type Message,
  manyNews,
  origin,
  wentSilent,
} from '../chat/testing.ts';
import { postOnce } from '../http/post-once.ts';
import { sealTarget } from '../seal-target.ts';
import { encryptPush } from './encrypt-push.ts';
import { newPushKeys } from './push-keys.ts';
import { signPush } from './sign-push.ts';

let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
});

/** The moment at which `deliverTo` sends. */
const now = Date.parse('2026-11-22T10:13:00Z');

async function startPushService(consoleKey = pushKeys.publicKey) {
  const service = createPushService({ consoleKey, clock: () => now });
  const server = await startChat(service.chat, certificate);
  const gate = believing(openGate, certificate);
  const target = (path = '/push/one') =>
    ({ kind: 'web-push', endpoint: `${server.url}${path}`, ...service.receiver }) as const;
  const deliver = (message: Message = {}, path?: string) =>
    deliverTo(target(path), { url: server.url, gate, message });
  return { ...service, ...server, gate, target, deliver };
}

const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');

test('a browser shows the news with the names of strangers as they are, and a click leads to a path', async () => {
  await using push = await startPushService();
  const host = new URL(push.url).host;
  expect(await push.deliver()).toEqual({ outcome: 'sent', answer: `${host} answered 201 Created.` });
  expect(push.messages).toMatchObject([
    { title: `Reports of ${hostileName}`, path: '/server/k3y', quiet: false, urgency: 'high' },
  ]);
  expect(visible(push.messages[0]?.body)).toContain(hostileName);
  expect(push.messages[0]?.ttl).toBe(destinationLimits.pushKeptSeconds);
});

test('what is over replaces its beginning, silently, and a repeated try replaces itself', async () => {
  await using push = await startPushService();
  const place = { id: randomUUID(), ownerId: randomUUID() };
  const { sealed } = sealTarget(sealer, place, push.target());
  const id = randomUUID();
  for (const news of [[wentSilent], [cameBack], manyNews(3), manyNews(3)] as const)
    await deliverSealed('web-push', { ...place, sealed }, { ...push, message: { id, news } });
  const [begun, over, many, again] = push.messages;
  expect(over).toMatchObject({ quiet: true, urgency: 'low', title: expect.stringMatching(/^Resolved: /) });
  expect([over?.tag, over?.topic]).toEqual([begun?.tag, begun?.topic]);
  expect(many).toMatchObject({ tag: id, path: '/notifications' });
  expect([again?.tag, again?.topic]).toEqual([many?.tag, many?.topic]);
  expect(many?.topic).not.toBe(over?.topic);
});

test('one incident has another topic at each destination', async () => {
  await using push = await startPushService();
  await push.deliver();
  await push.deliver();
  expect(new Set(push.messages.map(({ topic }) => topic)).size).toBe(2);
});

test('summaries and huge news fit into what every service takes', async () => {
  await using push = await startPushService();
  for (const news of [manyNews(120), [hugeNews]] as const)
    expect(await push.deliver({ news })).toMatchObject({ outcome: 'sent' });
  const quotes = {
    ...wentSilent,
    topic: '"'.repeat(400),
    text: '\\"'.repeat(2_000),
    page: `/${'p'.repeat(600)}`,
  };
  expect(await push.deliver({ news: [quotes] })).toMatchObject({ outcome: 'sent' });
  expect(push.messages.at(-1)).toMatchObject({ path: '/home' });
  for (const { bytes } of push.requests) expect(bytes.length).toBeLessThanOrEqual(4_096);
});

test('a subscription that the browser ended is broken, with the way back', async () => {
  await using push = await startPushService();
  expect(await push.deliver({}, '/push/another')).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining(
      '404 Not Found: the browser takes no messages any more; turn it on again',
    ),
  });
  push.end();
  expect(await push.deliver()).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('410 Gone: the browser takes no messages any more; turn it on again'),
  });
});

test.each([
  [403, 'the VAPID credentials in the authorization header do not correspond to the credentials used'],
  [401, { errno: 109, message: 'VAPID public key mismatch' }],
  [400, '<TITLE>UnauthorizedRegistration</TITLE>'],
  [400, { reason: 'VapidPkHashMismatch' }],
])('a subscription for another key of the console is broken: %d %o', async (status, body) => {
  await using push = await startPushService();
  push.refuseNext({ status, body });
  expect(await push.deliver()).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('another key of the console'),
  });
});

test('a service that knows another key of the console refuses it', async () => {
  await using push = await startPushService(newPushKeys().publicKey);
  expect(await push.deliver()).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('403 Forbidden: the browser was turned on with another key'),
  });
});

test('a signature that is not accepted breaks no browser: it is tried again, with the clock set', async () => {
  await using push = await startPushService();
  for (const refusal of [{ status: 403, body: { reason: 'BadJwtToken' } }, { status: 401 }]) {
    push.refuseNext(refusal);
    expect(await push.deliver()).toMatchObject({
      outcome: 'failed',
      answer: expect.stringContaining('does not accept the signature of this console'),
    });
  }
});

test('a busy service is asked again when it says, and a message that is too long ends alone', async () => {
  await using push = await startPushService();
  push.refuseNext({ status: 429, headers: { 'retry-after': '90' } });
  expect(await push.deliver()).toMatchObject({ outcome: 'failed', retryAfterMs: 90_000 });
  push.refuseNext({ status: 503 });
  expect(await push.deliver()).toMatchObject({ outcome: 'failed' });
  for (const status of [400, 413]) {
    push.refuseNext({ status });
    expect(await push.deliver(), String(status)).toMatchObject({ outcome: 'refused' });
  }
});

test('nothing leaves for an address that is not public, whatever the operator allows to webhooks', async () => {
  await using push = await startPushService();
  const rules = { allowPrivateTargets: false, consolePorts: [7070], publicUrl: origin };
  const strict = believing(createNewsGate(rules), certificate);
  expect(await deliverTo(push.target(), { url: push.url, gate: strict })).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('Nothing was sent'),
  });
  expect(push.requests).toEqual([]);
});

/** What the stand-in is there for: it refuses what the standards refuse. */
test.each([
  ['a token for another service', { endpoint: 'https://push.example.com/' }, {}, 403],
  ['a token that has expired', { now: now - 13 * 3_600_000 }, {}, 403],
  ['a token that is good for too long', { now: now + 13 * 3_600_000 }, {}, 403],
  ['a signature of another key', { keys: { ...newPushKeys(), publicKey: pushKeys.publicKey } }, {}, 403],
  ['no time to keep it', {}, { ttl: '' }, 400],
  ['a topic that is too long', {}, { topic: 'a'.repeat(33) }, 400],
  ['no encoding', {}, { 'content-encoding': 'identity' }, 415],
  ['no token', {}, { authorization: 'none' }, 401],
])('a service refuses %s', async (_what, signed, others, status) => {
  await using push = await startPushService();
  const url = new URL(push.target().endpoint);
  const {
    keys = pushKeys,
    endpoint = url.href,
    now: at = now,
  } = signed as {
    keys?: typeof pushKeys;
    endpoint?: string;
    now?: number;
  };
  const authorization = signPush(keys, { endpoint: new URL(endpoint), origin, now: at });
  const headers = { authorization, ttl: '60', 'content-encoding': 'aes128gcm', ...others };
  const body = encryptPush(Buffer.from('{}'), push.receiver);
  expect(await postOnce(push.gate, { url, headers, body }, 15_000)).toMatchObject({ status });
});

test.each([
  ['https://console.example.com', true],
  ['https://console.example.com:8443', true],
  ['http://console.example.com', false],
  ['http://127.0.0.1:7070', false],
  ['https://192.0.2.7', false],
  ['https://[2001:db8::7]', false],
  ['https://localhost', false],
  ['https://homeport', false],
  ['https://homeport.local', false],
  ['https://homeport.home.arpa', false],
])('a console at %s names itself, where somebody elsewhere could ask: %s', (from, isNamed) => {
  const endpoint = new URL('https://push.example.com:8443/a?b');
  const [, token = ''] = signPush(pushKeys, { endpoint, origin: from, now }).split('.');
  expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
    ...{ aud: 'https://push.example.com:8443', exp: now / 1_000 + 12 * 3_600 },
    ...(isNamed && { sub: from }),
  });
});
