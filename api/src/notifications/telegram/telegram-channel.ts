import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { judgeAnswer } from '../http/judge-answer.ts';
import { readJson } from '../http/read-json.ts';
import { withTarget } from '../http/with-target.ts';
import { createAskBot, movedTo, noChat, readBot, type TelegramSecret, telegramSecretSchema } from './bot.ts';
import { writeTelegram } from './write-telegram.ts';

export function keepTelegram({ token }: Extract<Target, { kind: 'telegram' }>) {
  const kept: TelegramSecret = { token, chat: null, code: null };
  return { shown: 'no chat', kept, waitsFor: noChat };
}

/** A bot of Telegram (Bot API, `sendMessage`). The end of an incident is written into its first message, and answers that message. */
export function createTelegramChannel(deps: HttpChannelDeps): Channel {
  const ask = createAskBot(deps);
  return {
    ...{ tries: chatTries, paceMs: 3_000 },
    deliver: ({ destination, news, firstPosted }) =>
      withTarget(deps.sealer, destination, telegramSecretSchema, async ({ token, chat }) => {
        if (chat === null)
          return { outcome: 'broken', answer: `${noChat} Open the destination and link one.` };
        const composed = composeNews(deps.origin, news);
        const bot = botOf(token);
        const [whose, where, first] = readJson(firstPosted ?? '', postedSchema) ?? [];
        // Another bot's message cannot be changed by this one, and in a private chat its number may be that of any message.
        const isHere = whose === bot && where === chat.id && composed.state === 'resolved';
        const answers = isHere && first !== undefined ? first : null;
        if (answers !== null) {
          const edit = { chat_id: chat.id, message_id: answers, ...writeTelegram(composed) };
          const changed = judgeAnswer(await ask(token, 'editMessageText', edit), 'Telegram', readBot);
          if (changed.outcome === 'failed') return changed;
        }
        const message = {
          ...writeTelegram(composed),
          disable_notification: composed.urgency === 'quiet',
          ...(answers !== null && {
            reply_parameters: { message_id: answers, allow_sending_without_reply: true },
          }),
        };
        let posted = await ask(token, 'sendMessage', { chat_id: chat.id, ...message });
        const moved = movedTo(posted);
        if (moved !== null) posted = await ask(token, 'sendMessage', { chat_id: moved, ...message });
        const delivered = judgeAnswer(posted, 'Telegram', readBot);
        const sent = posted.kind === 'answered' ? readJson(posted.body, sentSchema) : null;
        return delivered.outcome === 'sent' && sent
          ? { ...delivered, posted: JSON.stringify([bot, chat.id, sent.result.message_id]) }
          : delivered;
      }),
  };
}

const sentSchema = z.object({ result: z.object({ message_id: z.int() }) });
const postedSchema = z.tuple([z.string(), z.number(), z.int()]);
/** A token begins with the id of its bot. */
const botOf = (token: string) => token.split(':', 1)[0] ?? '';
