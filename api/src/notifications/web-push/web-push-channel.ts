import { createHash } from 'node:crypto';
import { destinationLimits, pushEnded } from '@homeport/contract/destinations/facts';
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
  answer:
    'This console cannot open its key for push messages: its secret changed while it ran. Start it again.',
} as const;

/** What waits for an absent browser is replaced by what has the same topic (RFC 8030, 5.4). A push service learns nothing from a hash. */
const topicOf = (destination: string, tag: string) =>
  createHash('sha256').update(`${destination} ${tag}`).digest('base64url').slice(0, 32);

/** What services say where a subscription was made for another key: Apple, Google in its three forms, Mozilla. */
const ofAnotherKey = [
  ...['vapidpkhashmismatch', 'unauthorizedregistration', 'do not correspond to the credentials'],
  ...['does not correspond to the sender id', 'public key mismatch'],
];

function readPushService({ status, body }: Answered): Meaning {
  if (status === 404 || status === 410)
    return { outcome: 'broken', why: `${pushEnded}; turn it on again in that browser` };
  if (status === 413) return { why: 'the message is too long' };
  if (status < 400 || status > 403) return {};
  const said = body.toLowerCase();
  if (ofAnotherKey.some((words) => said.includes(words)))
    return {
      outcome: 'broken',
      why: 'the browser was turned on with another key of the console; turn it on again in that browser',
    };
  // The next try may find the clock set. Apple refuses a console without a public https address.
  return status === 400
    ? {}
    : {
        outcome: 'failed',
        why: 'it does not accept the signature of this console; the clock of its machine or its address may be the reason',
      };
}
