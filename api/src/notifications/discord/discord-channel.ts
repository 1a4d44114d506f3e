import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { discordWebhookOf } from '@homeport/contract/destinations/service-address';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { readJson } from '../http/read-json.ts';
import { withTarget } from '../http/with-target.ts';
import { writeDiscord } from './write-discord.ts';

/** What is sealed of a webhook. `thread`: of the channel; null for the channel itself. */
const discordSecretSchema = z.object({ id: z.string(), token: z.string(), thread: z.string().nullable() });

export function keepDiscord({ url: text }: Extract<Target, { kind: 'discord' }>) {
  const url = new URL(text);
  const { id, token } = discordWebhookOf(url.pathname);
  const kept: z.output<typeof discordSecretSchema> = { id, token, thread: url.searchParams.get('thread_id') };
  return { shown: `webhook ${id}`, kept };
}

/** A webhook of Discord (discord-api-docs, "Webhook resource"). The end of an incident is written into its first message, too. */
export function createDiscordChannel({ sealer, gate, origin, addressOf }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 2_000 },
    deliver: ({ destination, news, firstPosted }) =>
      withTarget(sealer, destination, discordSecretSchema, async ({ id, token, thread }) => {
        const composed = composeNews(origin, news);
        const send = (method: 'POST' | 'PATCH', message: string) => {
          const url = new URL(`/api/v10/webhooks/${id}/${token}${message}`, addressOf('discord'));
          // Without it Discord answers before the message is kept, and names none.
          if (method === 'POST') url.searchParams.set('wait', 'true');
          if (thread !== null) url.searchParams.set('thread_id', thread);
          const body = JSON.stringify(writeDiscord(composed, method));
          return postOnce(gate, { url, method, body }, destinationLimits.tryMs);
        };
        // Another webhook's message cannot be changed by this one.
        const [webhook, first] = firstPosted?.split('/') ?? [];
        if (webhook === id && first !== undefined && composed.state === 'resolved') {
          const changed = judgeAnswer(await send('PATCH', `/messages/${first}`), 'Discord', readDiscord);
          if (changed.outcome === 'failed') return changed;
        }
        const posted = await send('POST', '');
        const delivered = judgeAnswer(posted, 'Discord', readDiscord);
        const message = posted.kind === 'answered' && readJson(posted.body, messageSchema);
        return delivered.outcome === 'sent' && message
          ? { ...delivered, posted: `${id}/${message.id}` }
          : delivered;
      }),
  };
}

const messageSchema = z.object({ id: z.string().regex(/^\d{1,20}$/) });

/** Discord's own code of what was wrong ("JSON error codes"). */
function readDiscord({ body }: Answered): Meaning {
  const code = readJson(body, z.object({ code: z.number() }))?.code;
  return (code !== undefined && codes.get(code)) || {};
}

const codes: ReadonlyMap<number, Meaning> = new Map([
  [10003, { outcome: 'broken', why: 'the channel or thread does not exist any more' }],
  [10008, { why: 'the message does not exist any more' }],
  [10015, { outcome: 'broken', why: 'the webhook was removed' }],
  [50027, { outcome: 'broken', why: 'the address of the webhook is not right' }],
  [50083, { outcome: 'broken', why: 'the thread is archived' }],
  [220001, { outcome: 'broken', why: 'a forum needs the address of one of its threads, with ?thread_id=…' }],
]);
