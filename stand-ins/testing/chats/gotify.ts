import { z } from 'zod';
import { type Chat, type ChatAnswer, jsonOf } from './start-chat.ts';

const messageSchema = z.strictObject({
  title: z.string().optional(),
  message: z.string().min(1),
  priority: z.int().optional(),
  extras: z.record(z.string().regex(/^\w+::\w+$/), z.unknown()).optional(),
});
const displaySchema = z.object({ contentType: z.enum(['text/plain', 'text/markdown']) });

export const gotifyToken = 'AbCdEf.GhIjKlMn';

const refused = (errorCode: number, error: string): ChatAnswer => ({
  status: errorCode,
  body: { error, errorCode, errorDescription: error },
});

/** A server of Gotify below `/push`, with one application. */
export function createGotify() {
  const messages: (z.output<typeof messageSchema> & { markdown: boolean })[] = [];
  const chat: Chat = (request) => {
    if (request.path !== '/push/message' || request.method !== 'POST') return refused(404, 'page not found');
    if (request.headers['x-gotify-key'] !== gotifyToken) return refused(401, 'Unauthorized');
    const message = messageSchema.safeParse(jsonOf(request));
    if (!message.success) return refused(400, 'Bad Request');
    const display = displaySchema.safeParse(message.data.extras?.['client::display']);
    messages.push({ ...message.data, markdown: display.data?.contentType === 'text/markdown' });
    return {
      status: 200,
      body: { id: messages.length, appid: 1, date: '2026-11-22T10:13:00Z', ...message.data },
    };
  };
  return { chat, messages };
}
