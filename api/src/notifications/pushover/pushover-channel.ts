import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { type Composed, composeNews } from '../chat/compose-news.ts';
import { cutText } from '../chat/cut-text.ts';
import { plainText, withoutLinks } from '../chat/plain-text.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { readJson } from '../http/read-json.ts';
import { withTarget } from '../http/with-target.ts';

/** What is sealed: the token of an application, and the key of a person or group. */
const pushoverSecretSchema = z.object({ token: z.string(), user: z.string() });

export function keepPushover({ token, user }: Extract<Target, { kind: 'pushover' }>) {
  return { shown: 'pushover.net', kept: { token, user } satisfies z.output<typeof pushoverSecretSchema> };
}

/** Characters that Pushover takes (pushover.net/api, "Limits"). */
const bounds = { title: 250, message: 1_024, url: 512 } as const;
const priorities = { quiet: -1, normal: 0, urgent: 1 } as const;

/** Pushover's Message API. A message cannot be changed. */
export function createPushoverChannel({ sealer, gate, origin, addressOf }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 1_000 },
    deliver: ({ destination, news }) =>
      withTarget(sealer, destination, pushoverSecretSchema, async (secret) => {
        const url = new URL('/1/messages.json', addressOf('pushover'));
        const body = JSON.stringify({ ...secret, ...writePushover(origin, composeNews(origin, news)) });
        return judgeAnswer(
          await postOnce(gate, { url, body }, destinationLimits.tryMs),
          'Pushover',
          readPushover,
        );
      }),
  };
}

/** Without `html` a message is shown as it is. */
function writePushover(origin: string, composed: Composed) {
  const { heading, lines, urgency } = composed;
  const page = lines.length === 1 ? (lines[0]?.url ?? origin) : origin;
  return {
    title: cutText(withoutLinks(heading), bounds.title),
    message: cutText(plainText(composed, { most: bounds.message }), bounds.message),
    priority: priorities[urgency],
    ...{ url: page.length <= bounds.url ? page : origin, url_title: 'See the page' },
  };
}

const refusalSchema = z.object({ user: z.string().optional(), token: z.string().optional() });

/** What Pushover refuses with a 4xx is to be sent no second time: the message, or a key of the destination, is not right. */
function readPushover({ status, body }: Answered): Meaning {
  if (status === 429)
    return { why: 'the messages of this month are used up', retryAfterMs: destinationLimits.retryAfterMs };
  const { user, token } = readJson(body, refusalSchema) ?? {};
  if (token === 'invalid') return { outcome: 'broken', why: 'the token of the application is not right' };
  return user === 'invalid' ? { outcome: 'broken', why: 'the key of the person or group is not right' } : {};
}
