import { type BadAnswer, type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readRecords, readZones } from './calls.ts';
import { createCloudflare } from './client.ts';
import type { Credential } from './credential.ts';
import { createLimiter } from './limiter.ts';
import { CloudflareFailure, toProblem } from './refusal.ts';

let standIn: CloudflareProcess;
let zoneId: string;
const secret = `cfut_${'s'.repeat(48)}`;
const credential: Credential = { kind: 'token', email: null, secret: Buffer.from(secret) };
const now = 1_000_000_000_000;
const asker = () => ({
  cloudflare: createCloudflare({ baseUrl: standIn.url, limiter: createLimiter(() => now) }),
  credential,
});

beforeAll(async () => {
  standIn = await startCloudflare();
  zoneId = await standIn.addZone('northquay.example');
  await standIn.addRecord(zoneId, { type: 'A', name: 'www', content: '203.0.113.24' });
  await standIn.grant({ secret });
});
beforeEach(() => standIn.answerWell());
afterAll(() => standIn?.[Symbol.asyncDispose]());

/** The problem that a person reads when the records are asked for. */
async function problemOf(bad: BadAnswer, doing: 'reading' | 'changing' = 'reading') {
  await standIn.answerBadly(bad);
  try {
    await readRecords(asker(), zoneId);
  } catch (error) {
    if (!(error instanceof CloudflareFailure)) throw error;
    expect(`${error.stack}${JSON.stringify(error.failure)}`).not.toContain(secret);
    return toProblem(error.failure, doing);
  }
  throw new Error('The answer was taken.');
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): BadAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const page = (status: number): BadAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><script>alert(1)</script></html>',
});
const good = (result: unknown) => ({ success: true, errors: [], messages: [], result });
const record = {
  id: '1'.repeat(32),
  name: 'www.northquay.example',
  type: 'A',
  content: '203.0.113.24',
  ttl: 1,
  proxied: false,
};

test.each<[string, BadAnswer, string]>([
  ['an HTML page', page(200), 'answered with a page in place of data (200)'],
  ['the HTML page of a broken edge', page(523), 'Cloudflare has a fault of its own: it answered 523'],
  ['a redirect', json('', 302, { location: 'http://127.0.0.1:1/' }), 'led somewhere else'],
  ['half of a JSON text', json('{"success": true, "res'), 'does not understand Cloudflare’s answer'],
  ['no envelope', json([record]), 'does not understand Cloudflare’s answer'],
  ['a list in place of a truth', json({ ...good([record]), success: ['yes'] }), 'does not understand'],
  ['an object in place of a list', json(good({ record })), 'does not understand'],
  ['a name of the wrong type', json(good([{ ...record, name: { $ne: null } }])), 'does not understand'],
  ['a name of a megabyte', json(good([{ ...record, name: 'x'.repeat(1_000_000) }])), 'does not understand'],
  [
    'an id that would leave its path',
    json(good([{ ...record, id: '../../../user' }])),
    'does not understand',
  ],
  ['more records than a page has', json(good(Array(501).fill(record))), 'does not understand'],
  ['ten megabytes', json(`"${'x'.repeat(10 * 1024 * 1024)}"`), 'longer than the console reads'],
  [
    '200 without success',
    json({ success: false, errors: [], messages: [], result: null }),
    'without a reason',
  ],
])('%s ends in a plain message', async (_what, bad, sentence) => {
  const { message } = await problemOf(bad);
  expect(message).toContain(sentence);
  expect(message).not.toMatch(/[<>]|\bat .+:\d+/);
});

test('a lost connection is told, and for a change that it may have been made', async () => {
  expect((await problemOf('hang_up')).message).toBe(
    'The console cannot reach Cloudflare, or lost the connection.',
  );
  expect((await problemOf('hang_up', 'changing')).message).toContain('may have been made all the same');
});

test('a reason of Cloudflare’s is one line without hidden characters, and not long', async () => {
  const errors = [{ code: 9005, message: `<b>no</b>\n\u202e\u0007${'y'.repeat(2_000)}` }];
  const { message } = await problemOf(json({ success: false, errors, messages: [], result: null }, 400));
  expect(message.length).toBeLessThan(400);
  expect(message).not.toMatch(/[\n\p{Cc}\p{Cf}]/u);
});

test('a refusal by rate says when it goes on, and nothing is sent until then', async () => {
  await standIn.refuseNext(1, 240);
  const one = asker();
  const refusal = async () => {
    const error = await readZones(one).catch((thrown: unknown) => thrown);
    if (!(error instanceof CloudflareFailure)) throw new Error('Cloudflare answered.');
    return toProblem(error.failure, 'changing');
  };
  for (const { message, details } of [await refusal(), await refusal()]) {
    expect(message).toBe(
      'Cloudflare takes no more requests of yours for now. Nothing was changed. It goes on in 4 minutes.',
    );
    expect(details.retryAfterSeconds).toBe(240);
  }
});

test('the header that says that no request is left is obeyed', async () => {
  const one = asker();
  await standIn.answerBadly(json(good([]), 200, { ratelimit: '"default";r=0;t=30' }));
  await readZones(one);
  await standIn.answerWell();
  await expect(readZones(one)).rejects.toMatchObject({ failure: { kind: 'too_many', waitMs: 30_000 } });
});
