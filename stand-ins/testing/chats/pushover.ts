import { z } from 'zod';
import { type Chat, jsonOf } from './start-chat.ts';

const characters = (most: number) => z.string().refine((text) => [...text].length <= most);
const messageSchema = z.strictObject({
  ...{ token: z.string(), user: z.string(), message: characters(1_024).min(1) },
  ...{
    title: characters(250).optional(),
    url: characters(512).optional(),
    url_title: characters(100).optional(),
  },
  priority: z.int().min(-2).max(1).optional(),
  html: z.literal(1).optional(),
});

export const pushoverKeys = {
  token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
  user: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
};

/** Pushover's side of one application and one person. */
export function createPushover() {
  const messages: z.output<typeof messageSchema>[] = [];
  const refused = (what: Record<string, string>, error: string) => ({
    status: 400,
    body: { ...what, errors: [error], status: 0, request: '647d2300-702c-4b38-8b2f-d56326ae460b' },
  });
  const chat: Chat = (request) => {
    if (request.path !== '/1/messages.json') return { status: 404, body: 'Not Found' };
    if (request.method !== 'POST') return { status: 405, body: 'Method Not Allowed' };
    const message = messageSchema.safeParse(jsonOf(request));
    if (!message.success) return refused({}, 'message cannot be taken');
    const { token, user } = message.data;
    if (token !== pushoverKeys.token) return refused({ token: 'invalid' }, 'application token is invalid');
    if (user !== pushoverKeys.user)
      return refused({ user: 'invalid' }, 'user identifier is not a valid user');
    messages.push(message.data);
    return { status: 200, body: { status: 1, request: '647d2300-702c-4b38-8b2f-d56326ae460b' } };
  };
  return { chat, messages };
}
