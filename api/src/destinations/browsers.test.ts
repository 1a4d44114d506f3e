import { createECDH } from 'node:crypto';
import type { Destination, DestinationDelivery } from '@homeport/contract/destinations/schema';
import { ceilings } from '@homeport/contract/limits';
import { createGate, everyNetwork } from '@homeport/egress';
import { createPushService, startChat } from '@homeport/stand-ins/chats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { believing, type Certificate, makeCertificate } from '../testing/certificate.ts';

/** Browsers as destinations: each is one destination of an account, and counts among them. */

const open = createGate({
  ...{ exceptions: everyNetwork, openOwnPorts: [], console: { ports: [], names: [] }, mixedName: 'refuse' },
});
let certificate: Certificate;
let api: TestApi;
let now = Date.now();
beforeAll(async () => {
  certificate = await makeCertificate();
  api = await startTestApi(
    { signUps: 'open', ceilings: { ...ceilings, destinations: 3 } },
    { clock: () => now, pushGate: believing(open, certificate) },
  );
});
afterAll(() => api?.[Symbol.asyncDispose]());

const auth = 'BTBZMqHH6r4Tts7J_aSIgg';
function browser(endpoint: string) {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { kind: 'web-push', endpoint, p256dh: pair.getPublicKey('base64url'), auth } as const;
}
type Made = { record: Destination; secret: string | null };
const add = (person: TestPerson, target: object) =>
  person.call('POST /api/destinations', { name: 'Firefox on Android', target });
const keyOf = async (person: TestPerson) =>
  bodyOf<{ key: string }>(await person.call('GET /api/destinations/push-key'), 200).key;

it('a browser that is added gets a test, and one that ended says how it is turned on again', async () => {
  const ada = await api.signUp('ada');
  const service = createPushService({ consoleKey: await keyOf(ada), clock: () => now });
  await using server = await startChat(service.chat, certificate);
  const target = { kind: 'web-push', endpoint: `${server.url}/push/one`, ...service.receiver };
  const { record, secret } = bodyOf<Made>(await add(ada, target), 201);
  expect(secret).toBeNull();
  expect(record).toMatchObject({ state: 'on', shown: new URL(server.url).host, device: expect.any(String) });
  const test = async () =>
    bodyOf<DestinationDelivery>(await ada.call(`POST /api/destinations/${record.id}/test`), 200);
  expect(await test()).toMatchObject({ state: 'sent', answer: expect.stringContaining('201 Created') });
  expect(service.messages).toMatchObject([
    { title: 'Test', body: expect.stringMatching(/^This is a test\./), path: '/profile', tag: record.id },
  ]);
  service.end();
  expect(await test()).toMatchObject({
    state: 'refused',
    answer: expect.stringContaining('turn it on again'),
  });
  const { version, state } = bodyOf<Destination[]>(
    await ada.call('GET /api/destinations'),
    200,
  )[1] as Destination;
  expect(state).toBe('broken');
  const again = browser(`${server.url}/push/two`);
  const mended = await ada.call(`PATCH /api/destinations/${record.id}`, { version, target: again });
  expect(mended).toMatchObject({ status: 200, body: { id: record.id, state: 'on', problem: null } });
  expect(bodyOf<Destination>(mended, 200).device).not.toBe(record.device);
});

it('two tabs of one browser at once make one destination, and another account may have the browser too', async () => {
  const [bea, eve] = [await api.signUp('bea'), await api.signUp('eve')];
  const target = browser('https://push.example.com/one');
  const answers = await Promise.all([1, 2, 3].map(() => add(bea, target)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    message: 'This browser is a destination of yours already.',
  });
  bodyOf(await add(eve, target), 201);
  const other = bodyOf<Made>(await add(bea, browser('https://push.example.com/two')), 201).record;
  expect(
    await bea.call(`PATCH /api/destinations/${other.id}`, { version: other.version, target }),
  ).toMatchObject({ status: 409 });
});

it('browsers count among the destinations of an account', async () => {
  const ida = await api.signUp('ida');
  for (const path of ['one', 'two', 'three']) {
    now += 1_000;
    bodyOf(await add(ida, browser(`https://push.example.com/${path}`)), 201);
  }
  expect(await add(ida, browser('https://push.example.com/four'))).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('3 destinations') },
  });
});

it('a key that is no point of the curve is not taken', async () => {
  const uma = await api.signUp('uma');
  const target = browser('https://push.example.com/one');
  const { record } = bodyOf<Made>(await add(uma, target), 201);
  const wrong = { ...target, p256dh: `BA${'A'.repeat(85)}` };
  const refusal = {
    status: 400,
    body: { fields: { 'target.p256dh': 'The key of the browser is not right.' } },
  };
  expect(await add(uma, wrong)).toMatchObject(refusal);
  expect(
    await uma.call(`PATCH /api/destinations/${record.id}`, { version: record.version, target: wrong }),
  ).toMatchObject(refusal);
});

it('nothing leaves for a push service on this machine, though webhooks may go there', async () => {
  await using strict = await startTestApi({ signUps: 'open' });
  const zoe = await strict.signUp('zoe');
  const service = createPushService({ consoleKey: await keyOf(zoe), clock: () => now });
  await using server = await startChat(service.chat, certificate);
  const target = { kind: 'web-push', endpoint: `${server.url}/push/one`, ...service.receiver };
  const { record } = bodyOf<Made>(await add(zoe, target), 201);
  expect(await zoe.call(`POST /api/destinations/${record.id}/test`)).toMatchObject({
    body: {
      state: 'refused',
      answer: expect.stringContaining('an address that this console does not send to'),
    },
  });
  expect(server.requests).toEqual([]);
});
