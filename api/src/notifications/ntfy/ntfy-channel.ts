import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel, Outgoing } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { plainText, withoutLinks } from '../chat/plain-text.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { readJson } from '../http/read-json.ts';
import { withTarget } from '../http/with-target.ts';

/** What is sealed. Whoever knows the topic of a public server can read it. */
const ntfySecretSchema = z.object({ server: z.string(), topic: z.string(), token: z.string().nullable() });

export function keepNtfy({ url: text, token }: Extract<Target, { kind: 'ntfy' }>) {
  const url = new URL(text);
  const [server, topic] = [url.origin, url.pathname.slice(1)];
  const kept: z.output<typeof ntfySecretSchema> = { server, topic, token: token ?? null };
  return { shown: url.host, kept };
}

/** A server of ntfy ("Publish as JSON" in its documentation). */
export function createNtfyChannel({ sealer, gate, origin }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 5_000 },
    deliver: (message) =>
      withTarget(sealer, message.destination, ntfySecretSchema, async ({ server, topic, token }) => {
        const posted = await postOnce(
          gate,
          {
            url: new URL(server),
            headers: token === null ? {} : { authorization: `Bearer ${token}` },
            body: JSON.stringify({ topic, ...writeNtfy(origin, message) }),
          },
          destinationLimits.tryMs,
        );
        return judgeAnswer(posted, new URL(server).host, readNtfy);
      }),
  };
}

/** A longer message would become an attachment. ntfy counts 4,096 bytes of UTF-8. */
const messageBytes = 4_000;
const priorities = { quiet: 2, normal: 3, urgent: 5 } as const;

/** Messages with one `sequence_id` replace each other: the end of an incident its beginning, and a repeated try the first one. */
function writeNtfy(origin: string, { id, news }: Pick<Outgoing, 'id' | 'news'>) {
  const composed = composeNews(origin, news);
  const { heading, lines, urgency } = composed;
  const isOfOne = news.every(({ incident }) => incident === news[0].incident);
  return {
    title: withoutLinks(heading),
    message: plainText(composed, { most: messageBytes, sizeOf: Buffer.byteLength }),
    priority: priorities[urgency],
    click: lines.length === 1 ? lines[0]?.url : origin,
    sequence_id: isOfOne ? news[0].incident : id,
  };
}

const untilNextMs = 10_000;
const quotaSpent = 42908;

/** ntfy names no time to wait: one message every 5 s is taken, and the quota of a day ends at midnight. */
function readNtfy({ status, body }: Answered): Meaning {
  const code = readJson(body, z.object({ code: z.number() }))?.code;
  if (status === 401) return { outcome: 'broken', why: 'the access token is not right' };
  if (status === 403)
    return { outcome: 'broken', why: 'the topic takes messages only with a token that may write there' };
  if (status !== 429) return {};
  return code === quotaSpent
    ? { why: 'the messages of this day are used up', retryAfterMs: destinationLimits.retryAfterMs }
    : { why: 'too many messages at once', retryAfterMs: untilNextMs };
}
