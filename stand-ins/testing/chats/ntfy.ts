import { z } from 'zod';
import { type Chat, type ChatAnswer, jsonOf } from './start-chat.ts';

const publishSchema = z.object({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z.string().optional(),
  priority: z.int().min(1).max(5).optional(),
  click: z.string().optional(),
  markdown: z.boolean().optional(),
  sequence_id: z
    .string()
    .regex(/^[-_A-Za-z0-9]{1,64}$/)
    .optional(),
});

export const ntfyToken = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';

type Message = {
  title: string;
  message: string;
  priority: number;
  click: string | undefined;
  attachment: boolean;
};

const refused = (status: number, code: number, error: string): ChatAnswer => ({
  status,
  body: { code, http: status, error },
});

/** A server of ntfy 2.16, on which the topic `private` is written with the token alone. `messages` has what devices show, by sequence. */
export function createNtfy() {
  const messages = new Map<string, Message>();
  const chat: Chat = (request) => {
    if (request.method !== 'POST' || request.path !== '/') return refused(404, 40401, 'page not found');
    const parsed = publishSchema.safeParse(jsonOf(request));
    if (!parsed.success) return refused(400, 40024, 'invalid request: request body must be valid JSON');
    const { authorization } = request.headers;
    if (authorization !== undefined && authorization !== `Bearer ${ntfyToken}`)
      return refused(401, 40101, 'unauthorized');
    const { topic, title = '', message = '', priority = 3, click, sequence_id: sequence } = parsed.data;
    if (topic === 'private' && authorization === undefined) return refused(403, 40301, 'forbidden');
    const id = sequence ?? `unnamed${messages.size}`;
    messages.set(id, { title, message, priority, click, attachment: Buffer.byteLength(message) > 4_096 });
    return {
      status: 200,
      body: { id: 'sPs71M8A2T', time: 1_732_380_000, event: 'message', topic, sequence_id: id },
    };
  };
  return { chat, messages };
}
