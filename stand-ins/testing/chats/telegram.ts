import { z } from 'zod';
import { type Chat, type ChatAnswer, jsonOf, type Seen } from './start-chat.ts';

const entitySchema = z.strictObject({
  type: z.enum(['bold', 'text_link']),
  offset: z.int().min(0),
  length: z.int().min(1),
  url: z.url().optional(),
});
const textSchema = {
  chat_id: z.number(),
  text: z.string().min(1).max(4_096),
  entities: z.array(entitySchema).optional(),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
};
const sendSchema = z.strictObject({
  ...textSchema,
  disable_notification: z.boolean().optional(),
  reply_parameters: z
    .strictObject({ message_id: z.int(), allow_sending_without_reply: z.boolean().optional() })
    .optional(),
});
const editSchema = z.strictObject({ ...textSchema, message_id: z.int() });
const updatesSchema = z.strictObject({
  offset: z.int().max(-1),
  limit: z.int().min(1).max(100).default(100),
  timeout: z.int(),
  allowed_updates: z.array(z.string()),
});

export const telegramBot = {
  token: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  name: 'homeport_news_bot',
};

type Message = Seen & { chat: number; id: number; silent: boolean; changed: boolean; answers: number | null };

const refused = (status: number, description: string, parameters?: object): ChatAnswer => ({
  status,
  body: { ok: false, error_code: status, description, ...(parameters && { parameters }) },
});
const done = (result: unknown): ChatAnswer => ({ status: 200, body: { ok: true, result } });

/** Telegram's side of one bot. It knows the chats in `chats`; one of them became another one if its value is a number. */
export function createTelegram() {
  const chats = new Map<number, number | 'here' | 'blocked'>([[42, 'here']]);
  const messages: Message[] = [];
  const updates: object[] = [];

  function send(request: Parameters<Chat>[0]): ChatAnswer {
    const parsed = sendSchema.safeParse(jsonOf(request));
    if (!parsed.success) return refused(400, 'Bad Request: message cannot be taken');
    const { chat_id: chat, reply_parameters: reply } = parsed.data;
    const where = chats.get(chat);
    if (where === undefined) return refused(400, 'Bad Request: chat not found');
    if (where === 'blocked') return refused(403, 'Forbidden: bot was blocked by the user');
    if (typeof where === 'number')
      return refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: where,
      });
    const id = messages.length + 1;
    const silent = parsed.data.disable_notification === true;
    messages.push({
      ...read(parsed.data),
      chat,
      id,
      silent,
      changed: false,
      answers: reply?.message_id ?? null,
    });
    return done({ message_id: id, chat: { id: chat } });
  }

  function edit(request: Parameters<Chat>[0]): ChatAnswer {
    const parsed = editSchema.safeParse(jsonOf(request));
    if (!parsed.success) return refused(400, 'Bad Request: message cannot be taken');
    const { chat_id: chat, message_id: id } = parsed.data;
    const message = messages.find((each) => each.chat === chat && each.id === id);
    if (!message) return refused(400, 'Bad Request: message to edit not found');
    const seen = read(parsed.data);
    if (seen.text === message.text) return refused(400, 'Bad Request: message is not modified');
    Object.assign(message, seen, { changed: true });
    return done({ message_id: id, chat: { id: chat } });
  }

  const chat: Chat = (request) => {
    const [, bot, method] = request.path.split('/');
    if (bot !== `bot${telegramBot.token}`) return refused(401, 'Unauthorized');
    if (method === 'getMe') return done({ id: 110201543, is_bot: true, username: telegramBot.name });
    if (method === 'sendMessage') return send(request);
    if (method === 'editMessageText') return edit(request);
    const asked = updatesSchema.safeParse(jsonOf(request));
    if (method !== 'getUpdates' || !asked.success) return refused(404, 'Not Found');
    return done(updates.slice(asked.data.offset).slice(0, asked.data.limit));
  };
  /** Somebody writes to the bot, and may answer another message. */
  const write = (text: string, from: object, answered?: string) =>
    void updates.push({
      update_id: updates.length + 1,
      message: {
        ...{ message_id: 900 + updates.length, text, chat: from },
        ...(answered !== undefined && { reply_to_message: { text: answered, chat: from } }),
      },
    });
  return { chat, chats, messages, write };
}

/** What Telegram shows: the text as it is, with links and calls that it finds in it by itself. */
function read({
  text,
  entities = [],
}: {
  text: string;
  entities?: z.output<typeof entitySchema>[] | undefined;
}): Seen {
  const found =
    text.match(
      /https?:\/\/\S{1,200}|(?<![\w@])@\w{2,32}|(?<![\w/])\/[a-z]\w{0,31}|\b\w{1,60}\.(?:com|net|org)\b/g,
    ) ?? [];
  return {
    text,
    links: [
      ...entities.flatMap(({ url }) => (url === undefined ? [] : [url])),
      ...found.filter((mark) => !mark.startsWith('@')),
    ],
    pings: found.filter((mark) => mark.startsWith('@')),
  };
}
