import { createHash } from 'node:crypto';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { withTarget } from '../http/with-target.ts';
import { encryptPush } from './encrypt-push.ts';
import type { ReadPushKeys } from './push-keys.ts';
import { signPush } from './sign-push.ts';
import { writePush } from './write-push.ts';

/** What is sealed: where the browser's push service takes messages, and what they are encrypted with. */
const webPushSecretSchema = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });

export function keepWebPush({ endpoint: text, p256dh, auth }: Extract<Target, { kind: 'web-push' }>) {
  const { href: endpoint, host } = new URL(text);
  const kept: z.output<typeof webPushSecretSchema> = { endpoint, p256dh, auth };
  // Of the text that the browser has, which it compares.
  return { shown: host, kept, device: createHash('sha256').update(text).digest('base64url') };
}

type Deps = Omit<HttpChannelDeps, 'addressOf'> & { pushKeys: ReadPushKeys };

/** A browser of the person, by the push service of its maker (RFC 8030). */
export function createWebPushChannel({ sealer, gate, origin, clock, pushKeys }: Deps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 500 },
    deliver: (message) =>
      withTarget(sealer, message.destination, webPushSecretSchema, async ({ endpoint, ...receiver }) => {
        const keys = await pushKeys();
        if (keys === null) return withoutKey;
        const url = new URL(endpoint);
        const { text, urgency } = writePush(origin, message);
        const headers = {
          authorization: signPush(keys, { endpoint: url, origin, now: clock() }),
          ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
          ...{ ttl: String(destinationLimits.pushKeptSeconds), urgency },
          topic: topicOf(message.destination.id, text.tag),
        };
        const body = encryptPush(Buffer.from(JSON.stringify(text)), receiver);
        const posted = await postOnce(gate, { url, headers, body }, destinationLimits.tryMs);
        return judgeAnswer(posted, url.host, readPushService);
      }),
  };
}

const withoutKey = {
  outcome: 'failed',
  answer: 'This console cannot open its key for push messages. Start it again, and it makes another one.',
} as const;

/** What waits for an absent browser is replaced by what has the same topic (RFC 8030, 5.4). A push service learns nothing from a hash. */
const topicOf = (destination: string, tag: string) =>
  createHash('sha256').update(`${destination} ${tag}`).digest('base64url').slice(0, 32);

/** A browser or its person ended the subscription, or it was made for another key: Google says so with 400 or 403, Mozilla 401, Apple 400. */
function readPushService({ status, body }: Answered): Meaning {
  if (status === 404 || status === 410)
    return {
      outcome: 'broken',
      why: 'the browser takes no messages any more; turn it on again in that browser',
    };
  const isOfKey = body.includes('VapidPkHashMismatch') || body.includes('UnauthorizedRegistration');
  if (status === 401 || status === 403 || (status === 400 && isOfKey))
    return {
      outcome: 'broken',
      why: 'the browser was turned on with another key of the console; turn it on again in that browser',
    };
  return status === 413 ? { why: 'the message is too long' } : {};
}
