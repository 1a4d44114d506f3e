import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { withTarget } from '../http/with-target.ts';
import { writeSlack } from './write-slack.ts';

/** What is sealed: the path of an incoming webhook, which is its secret. */
const slackSecretSchema = z.object({ path: z.string() });

export function keepSlack({ url }: Extract<Target, { kind: 'slack' }>) {
  const { pathname: path } = new URL(url);
  // The names of the workspace and of the webhook; the third part is the secret.
  const [, , workspace = ''] = path.split('/');
  return { shown: `workspace ${workspace}`, kept: { path } satisfies z.output<typeof slackSecretSchema> };
}

/** An incoming webhook of Slack (docs.slack.dev, "Sending messages using incoming webhooks"). Its answer names no message, so none is changed later. */
export function createSlackChannel({ sealer, gate, origin, addressOf }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 1_000 },
    deliver: ({ destination, news }) =>
      withTarget(sealer, destination, slackSecretSchema, async ({ path }) => {
        const body = JSON.stringify(writeSlack(composeNews(origin, news)));
        const posted = await postOnce(
          gate,
          { url: new URL(path, addressOf('slack')), body },
          destinationLimits.tryMs,
        );
        return judgeAnswer(posted, 'Slack', readSlack);
      }),
  };
}

/** Slack answers with a word as plain text. */
function readSlack({ body }: Answered): Meaning {
  return words.get(body.trim()) ?? {};
}

const words: ReadonlyMap<string, Meaning> = new Map([
  ['no_service', { outcome: 'broken', why: 'the webhook was removed or switched off' }],
  ['no_team', { outcome: 'broken', why: 'the workspace does not exist any more' }],
  ['invalid_token', { outcome: 'broken', why: 'the address of the webhook is not right' }],
  ['channel_not_found', { outcome: 'broken', why: 'the channel does not exist any more' }],
  ['channel_is_archived', { outcome: 'broken', why: 'the channel is archived' }],
  ['action_prohibited', { outcome: 'broken', why: 'an administrator forbids such messages' }],
  ['user_not_found', { outcome: 'broken', why: 'the person it writes to does not exist any more' }],
  [
    'posting_to_general_channel_denied',
    { outcome: 'broken', why: 'it may not write to the general channel' },
  ],
  ['rate_limited', { outcome: 'failed', why: 'too many messages at once' }],
]);
