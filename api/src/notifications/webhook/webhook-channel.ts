import { destinationLimits } from '@homeport/contract/destinations/facts';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import type { HttpChannelDeps } from '../http/http-channel.ts';
import { judgeAnswer } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { withTarget } from '../http/with-target.ts';
import { sign } from './sign.ts';
import { writeEvent } from './write-event.ts';

/** What is sealed of a webhook. `previous` signs, too, until `previousUntil` in epoch milliseconds. */
export const webhookSecretSchema = z.object({
  url: z.string(),
  secret: z.string(),
  previous: z.object({ secret: z.string(), until: z.number() }).nullable(),
});

const minute = 60_000;
const hour = 60 * minute;

/** Standard Webhooks 1.0.0: `webhook-id` is the same for each try, so a receiver can leave out what it had. */
export function createWebhookChannel({ sealer, gate, origin, clock }: HttpChannelDeps): Channel {
  return {
    tries: { again: [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour], spread: 0.2 },
    deliver: (message) =>
      withTarget(sealer, message.destination, webhookSecretSchema, async ({ url, secret, previous }) => {
        const now = clock();
        const body = writeEvent(origin, message);
        const timestamp = Math.floor(now / 1_000);
        const secrets = [secret, ...(previous !== null && previous.until > now ? [previous.secret] : [])];
        const target = new URL(url);
        const headers = {
          'webhook-id': message.id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': sign(secrets, { id: message.id, timestamp, body }),
        };
        const posted = await postOnce(gate, { url: target, headers, body }, destinationLimits.tryMs);
        return judgeAnswer(posted, target.host);
      }),
  };
}
