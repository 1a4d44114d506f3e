import { z } from 'zod';
import { type Chat, jsonOf, type Seen } from './start-chat.ts';

const runSchema = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string(),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
  size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
  color: z.enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention']).optional(),
  isSubtle: z.boolean().optional(),
});
const cardSchema = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.4'),
  body: z
    .array(z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(runSchema).min(1) }))
    .min(1),
  actions: z
    .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() }))
    .optional(),
});
const messageSchema = z.strictObject({
  type: z.literal('message'),
  summary: z.string().optional(),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: cardSchema,
      }),
    )
    .length(1),
});

export const teamsPath =
  '/workflows/0123456789abcdef/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sig=5gJ3-the-signature';
const messageBytes = 28_000;

/** A workflow that posts the card that it gets. It answers 202 before it reads the card: a wrong one is in `failedRuns`. */
export function createTeams() {
  const seen: Seen[] = [];
  const failedRuns: string[] = [];
  const chat: Chat = (request) => {
    const { searchParams } = new URL(teamsPath, 'http://stand-in');
    if (request.path !== teamsPath.split('?')[0])
      return { status: 404, body: { error: { code: 'WorkflowNotFound' } } };
    if (request.query.get('sig') !== searchParams.get('sig'))
      return { status: 401, body: { error: { code: 'DirectApiAuthorizationRequired' } } };
    if (Buffer.byteLength(request.body) > messageBytes) return { status: 413 };
    const message = messageSchema.safeParse(jsonOf(request));
    if (!message.success) {
      failedRuns.push(message.error.message);
      return { status: 202 };
    }
    for (const { content } of message.data.attachments)
      seen.push({
        text: content.body.map(({ inlines }) => inlines.map(({ text }) => text).join('')).join('\n'),
        links: content.actions?.map(({ url }) => url) ?? [],
        pings: [],
      });
    return { status: 202 };
  };
  return { chat, seen, failedRuns };
}
