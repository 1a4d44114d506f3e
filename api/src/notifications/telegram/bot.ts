import { destinationLimits } from '@homeport/contract/destinations/facts';
import { z } from 'zod';
import type { HttpChannelDeps } from '../http/http-channel.ts';
import type { Answered, Meaning } from '../http/judge-answer.ts';
import { type Posted, postOnce } from '../http/post-once.ts';
import { readJson } from '../http/read-json.ts';

/** A method of Telegram's Bot API. The token is part of the address. */
export type AskBot = (token: string, method: string, parameters: object) => Promise<Posted>;

/** A look for new messages brings up to twenty of them, each with at most 4,096 characters, its links, and the message that it answers. */
const answerBytes = 2 * 1024 * 1024;

export const createAskBot =
  ({ gate, addressOf }: Pick<HttpChannelDeps, 'gate' | 'addressOf'>): AskBot =>
  (token, method, parameters) => {
    const url = new URL(`/bot${token}/${method}`, addressOf('telegram'));
    const isLook = method === 'getUpdates';
    return postOnce(
      gate,
      { url, body: JSON.stringify(parameters), ...(isLook && { answerBytes }) },
      destinationLimits.tryMs,
    );
  };

/** What is sealed of a bot. Without a `chat` it writes to nobody; `code` is what a chat has to say to be linked, until `until`. */
export const telegramSecretSchema = z.object({
  token: z.string(),
  chat: z.object({ id: z.number() }).nullable(),
  code: z.object({ text: z.string(), bot: z.string(), until: z.number() }).nullable(),
});
export type TelegramSecret = z.output<typeof telegramSecretSchema>;

export const noChat = 'No chat is linked yet.';

const failureSchema = z.object({
  description: z.string().optional(),
  parameters: z
    .object({ retry_after: z.number().min(0).optional(), migrate_to_chat_id: z.number().optional() })
    .optional(),
});

/** Telegram says how long to wait, and where a group went, in the answer itself. */
export function readBot({ status, body }: Answered): Meaning {
  const { description = '', parameters } = readJson(body, failureSchema) ?? {};
  if (status === 401 || status === 404)
    return { outcome: 'broken', why: 'the token of the bot is not right' };
  if (status === 403)
    return { outcome: 'broken', why: 'the bot was blocked, or is not in the chat any more' };
  if (status === 409) return { why: 'another program reads the messages of this bot' };
  if (status === 400 && description.includes('chat not found'))
    return { outcome: 'broken', why: 'the chat does not exist any more' };
  if (status !== 429 || parameters?.retry_after === undefined) return {};
  const retryAfterMs = Math.min(parameters.retry_after * 1_000, destinationLimits.retryAfterMs);
  return { why: 'too many messages at once', retryAfterMs };
}

/** A group that grew has another id. */
export function movedTo(posted: Posted): number | null {
  if (posted.kind !== 'answered' || posted.status !== 400) return null;
  return readJson(posted.body, failureSchema)?.parameters?.migrate_to_chat_id ?? null;
}
