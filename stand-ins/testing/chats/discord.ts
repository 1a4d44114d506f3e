import { z } from 'zod';
import { type Chat, type ChatAnswer, jsonOf, type Seen } from './start-chat.ts';

const embedSchema = z.strictObject({
  title: z.string().max(256).optional(),
  description: z.string().max(4_096).optional(),
  url: z.url().optional(),
  color: z.int().min(0).max(0xffffff).optional(),
  fields: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(256),
        value: z.string().min(1).max(1_024),
        inline: z.boolean().optional(),
      }),
    )
    .max(25)
    .optional(),
});
const messageSchema = z.strictObject({
  content: z.string().max(2_000).optional(),
  embeds: z.array(embedSchema).max(10).optional(),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(['users', 'roles', 'everyone'])) }).optional(),
  flags: z.int().optional(),
});

export const discordWebhook = { id: '1234567890123456789', token: 'Zx9_-webhook-token-of-the-stand-in' };
const path = `/webhooks/${discordWebhook.id}/${discordWebhook.token}`;

type Message = Seen & { id: string; silent: boolean; changed: boolean };

const refused = (status: number, code: number, message: string): ChatAnswer => ({
  status,
  body: { code, message },
});

/** Discord's side of one webhook. Its channel has a thread named `77`. */
export function createDiscord() {
  const messages: Message[] = [];
  const chat: Chat = (request) => {
    const below = request.path.replace('/api/v10', '').replace('/api', '');
    const [, webhooks, id] = below.split('/');
    if (webhooks !== 'webhooks' || id !== discordWebhook.id) return refused(404, 10015, 'Unknown Webhook');
    if (below !== path && !below.startsWith(`${path}/messages/`))
      return refused(401, 50027, 'Invalid Webhook Token');
    const thread = request.query.get('thread_id');
    if (thread !== null && thread !== '77') return refused(404, 10003, 'Unknown Channel');
    const parsed = messageSchema.safeParse(jsonOf(request));
    if (!parsed.success) return refused(400, 50035, 'Invalid Form Body');
    const { content = '', embeds = [], allowed_mentions: mentions, flags = 0 } = parsed.data;
    if (content === '' && embeds.length === 0) return refused(400, 50006, 'Cannot send an empty message');
    const texts = embeds.flatMap(({ title = '', description = '', fields = [] }) => [
      ...[title, description],
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]);
    if (texts.join('').length > 6_000) return refused(400, 50035, 'Invalid Form Body');
    const seen = read([content, ...texts].filter((text) => text !== '').join('\n'));
    const shown = {
      text: seen.text,
      links: [...seen.links, ...embeds.flatMap(({ url }) => (url === undefined ? [] : [url]))],
      pings: mentions ? seen.pings.filter(() => mentions.parse.length > 0) : seen.pings,
    };
    if (request.method === 'PATCH') {
      const message = messages.find((each) => below === `${path}/messages/${each.id}`);
      if (!message) return refused(404, 10008, 'Unknown Message');
      Object.assign(message, shown, { changed: true });
      return { status: 200, body: { id: message.id, channel_id: '1' } };
    }
    const message = {
      ...shown,
      id: `${messages.length + 1}00`,
      silent: (flags & 4_096) !== 0,
      changed: false,
    };
    messages.push(message);
    return request.query.get('wait') === 'true'
      ? { status: 200, body: { id: message.id, channel_id: '1' } }
      : { status: 204 };
  };
  return { chat, messages };
}

/** Reads Discord's Markdown as far as it makes links and calls: `\` takes a mark its meaning. */
function read(text: string): Seen {
  const links: string[] = [];
  const pings: string[] = [];
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const escaped = /^\\([^0-9A-Za-z\s])/.exec(rest);
    const link = /^\[([^\]]{1,100})\]\((https?:[^)]{1,500})\)/.exec(rest);
    const bare = /^https?:\/\/\S{1,500}/.exec(rest);
    const ping = /^(?:@everyone|@here|<@[^>]{1,40}>)/.exec(rest);
    const mark = /^[*_~`|]/.exec(rest);
    if (escaped) shown += escaped[1] ?? '';
    else if (link) {
      shown += link[1] ?? '';
      links.push(link[2] ?? '');
    } else if (bare) {
      shown += bare[0];
      links.push(bare[0]);
    } else if (ping) {
      shown += ping[0];
      pings.push(ping[0]);
    } else if (!mark) shown += rest[0];
    at += (escaped ?? link ?? bare ?? ping ?? [rest[0] ?? ''])[0].length;
  }
  return { text: shown, links, pings };
}
