import { z } from 'zod';
import { type Chat, jsonOf, type Seen } from './start-chat.ts';

const styleSchema = z.strictObject({ bold: z.boolean().optional(), italic: z.boolean().optional() });
const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: styleSchema.optional() }),
  z.strictObject({
    type: z.literal('link'),
    url: z.url(),
    text: z.string().optional(),
    style: styleSchema.optional(),
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string() }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']) }),
]);
const sectionSchema = z.strictObject({
  type: z.literal('rich_text_section'),
  elements: z.array(partSchema).min(1),
});
const blocksSchema = z
  .array(z.strictObject({ type: z.literal('rich_text'), elements: z.array(sectionSchema).min(1) }))
  .max(50);
const messageSchema = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
});

export const slackPath = '/services/T024BE7LD/B0123ABCD/x9Yk3mWqTz0aRbVn5sLp7dFg';
const [, , workspace, webhook] = slackPath.split('/');
const textCharacters = 40_000;

/** Slack's side of one incoming webhook. `notices` is what a notification reads out, `seen` what the channel shows. */
export function createSlack() {
  const seen: Seen[] = [];
  const notices: Seen[] = [];
  const chat: Chat = (request) => {
    const [, services, team, hook, token] = request.path.split('/');
    if (services !== 'services' || token === undefined) return { status: 404, body: 'no_service' };
    if (team !== workspace) return { status: 404, body: 'no_team' };
    if (hook !== webhook) return { status: 404, body: 'no_service' };
    if (request.path !== slackPath) return { status: 403, body: 'invalid_token' };
    if (request.method !== 'POST') return { status: 400, body: 'http_method_not_supported' };
    const message = messageSchema.safeParse(jsonOf(request));
    if (!message.success) return { status: 400, body: 'invalid_payload' };
    const { text = '', blocks } = message.data;
    if (text === '' && blocks === undefined) return { status: 400, body: 'no_text' };
    if (text.length > textCharacters) return { status: 400, body: 'msg_too_long' };
    const shown = blocksSchema.safeParse(blocks ?? []);
    if (!shown.success) return { status: 400, body: 'invalid_blocks' };
    notices.push(readMarkup(text));
    const parts = shown.data.flatMap(({ elements }) => elements.flatMap((section) => section.elements));
    seen.push({
      text: parts.map((part) => ('text' in part ? part.text : '')).join(''),
      links: parts.flatMap((part) => (part.type === 'link' ? [part.url] : [])),
      pings: parts.flatMap((part) => (part.type === 'user' || part.type === 'broadcast' ? [part.type] : [])),
    });
    return { status: 200, body: 'ok' };
  };
  return { chat, seen, notices };
}

/** What Slack makes of its markup: `<…>` is a link or a call, and three entities are characters. */
function readMarkup(text: string): Seen {
  const marks = text
    .split('<')
    .slice(1)
    .map((part) => part.split('>')[0] ?? '');
  return {
    text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    links: marks.filter((mark) => !/^[!@#]/.test(mark)),
    pings: marks.filter((mark) => /^[!@#]/.test(mark)),
  };
}
