import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { z } from 'zod';
import type { Chat, ChatAnswer, ChatRequest } from './start-chat.ts';

/** What the page's service worker reads. */
const shownSchema = z.strictObject({
  ...{ title: z.string().min(1), body: z.string(), tag: z.string().min(1), quiet: z.boolean() },
  path: z.string().startsWith('/'),
});
export type ShownByBrowser = z.output<typeof shownSchema>;

const claimsSchema = z.object({ aud: z.string(), exp: z.int(), sub: z.string().optional() });
const headSchema = z.object({ typ: z.literal('JWT'), alg: z.literal('ES256') });

const refused = (status: number, body: string): ChatAnswer => ({ status, body });

/**
 * A push service with one browser that was turned on for the console of `consoleKey`. It refuses what RFC 8030, 8188, 8291 and 8292 refuse,
 * and shows what its browser shows: of each tag the last one.
 *
 * @param clock epoch milliseconds
 */
export function createPushService({ consoleKey, clock }: { consoleKey: string; clock: () => number }) {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const secret = randomBytes(16);
  const messages: (ShownByBrowser & { topic: string; urgency: string; ttl: number })[] = [];
  let ended = false;
  const chat: Chat = (request) => {
    const { method, path, headers, bytes } = request;
    if (method !== 'POST') return refused(405, 'Method Not Allowed');
    if (path !== '/push/one') return refused(404, 'no such subscription');
    if (ended) return refused(410, 'gone');
    const wrong = judgeHeaders(request) ?? judgeToken(request, consoleKey, clock());
    if (wrong) return wrong;
    if (bytes.length > 4_096) return refused(413, 'Payload Too Large');
    const text = decrypt(bytes, { browser, secret });
    if (text === null) return refused(400, 'the body is not aes128gcm');
    const { topic, urgency, ttl } = headers;
    messages.push({
      ...shownSchema.parse(JSON.parse(text)),
      ...{ topic: String(topic), urgency: String(urgency), ttl: Number(ttl) },
    });
    return { status: 201, headers: { location: '/message/1' }, body: '' };
  };
  return {
    chat,
    messages,
    /** What the page of the browser hands to the console. */
    receiver: { p256dh: browser.getPublicKey('base64url'), auth: secret.toString('base64url') },
    /** The browser or its person ends it. */
    end: () => {
      ended = true;
    },
  };
}

function judgeHeaders({ headers }: ChatRequest): ChatAnswer | null {
  const { ttl, urgency, topic } = headers;
  if (typeof ttl !== 'string' || !/^\d{1,10}$/.test(ttl)) return refused(400, 'TTL is missing');
  if (headers['content-encoding'] !== 'aes128gcm') return refused(415, 'Unsupported Media Type');
  if (urgency !== undefined && !['very-low', 'low', 'normal', 'high'].includes(String(urgency)))
    return refused(400, 'Urgency is not right');
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return refused(400, 'Topic is not right');
  return null;
}

/** RFC 8292, 2 and 4.2. */
function judgeToken({ headers }: ChatRequest, consoleKey: string, now: number): ChatAnswer | null {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (signature === '') return refused(401, 'no vapid');
  if (key !== consoleKey)
    return refused(403, 'the VAPID credentials do not correspond to the credentials of the subscription');
  const point = Buffer.from(key, 'base64url');
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;
  if (!isSigned || !headSchema.safeParse(json(head)).success)
    return refused(403, 'the signature is not right');
  const { aud, exp, sub } = claimsSchema.parse(json(claims));
  if (aud !== `https://${headers.host}`) return refused(403, 'aud is another service');
  if (exp * 1_000 <= now || exp * 1_000 > now + 24 * 3_600_000) return refused(403, 'exp is not right');
  if (sub !== undefined && !/^(https:|mailto:)/.test(sub)) return refused(403, 'sub is not right');
  return null;
}

/** As a browser does it (RFC 8291, 3.4, with one record). Null where it does not open. */
function decrypt(
  body: Buffer,
  { browser, secret }: { browser: ReturnType<typeof createECDH>; secret: Buffer },
): string | null {
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
  if (body.readUInt32BE(16) < body.length - 86 || body[20] !== 65) return null;
  const hkdf = (key: Buffer, with_: Buffer, info: Buffer, size: number) =>
    Buffer.from(hkdfSync('sha256', key, with_, info, size));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const key = hkdf(browser.computeSecret(sender), secret, about, 32);
  const words = (text: string) => Buffer.from(`Content-Encoding: ${text}\0`);
  const open = createDecipheriv(
    'aes-128-gcm',
    hkdf(key, salt, words('aes128gcm'), 16),
    hkdf(key, salt, words('nonce'), 12),
    { authTagLength: 16 },
  );
  open.setAuthTag(body.subarray(-16));
  try {
    const record = Buffer.concat([open.update(body.subarray(86, -16)), open.final()]);
    const end = record.lastIndexOf(2);
    return record.subarray(end + 1).every((byte) => byte === 0) ? record.subarray(0, end).toString() : null;
  } catch {
    return null;
  }
}
