import { z } from 'zod';
import { type Chat, type ChatAnswer, jsonOf, type Seen } from './start-chat.ts';

const textSchema = {
  msgtype: z.enum(['m.text', 'm.notice']),
  body: z.string(),
  format: z.literal('org.matrix.custom.html').optional(),
  formatted_body: z.string().optional(),
  'm.mentions': z.strictObject({ user_ids: z.array(z.string()).optional(), room: z.boolean().optional() }),
};
const contentSchema = z.strictObject({
  ...textSchema,
  'm.new_content': z.strictObject(textSchema).optional(),
  'm.relates_to': z.strictObject({ rel_type: z.literal('m.replace'), event_id: z.string() }).optional(),
});

export const matrixAccount = { token: 'syt_aG9tZXBvcnQ_token', room: '!cURbafjkfsMDVwdRDQ:matrix.example' };
export const encryptedRoom = '!encrypted:matrix.example';
const eventBytes = 65_536;

type Event = Seen & { id: string; quiet: boolean; edited: boolean };

const refused = (status: number, errcode: string): ChatAnswer => ({
  status,
  body: { errcode, error: errcode },
});

/** A homeserver with one account, which is in two rooms, and knows each transaction. */
export function createMatrix() {
  const events: Event[] = [];
  const transactions = new Map<string, string>();
  const chat: Chat = (request) => {
    const [, prefix, client, version, rooms, room = '', verb, type, transaction = ''] =
      request.path.split('/');
    if (prefix !== '_matrix' || client !== 'client' || version !== 'v3' || rooms !== 'rooms')
      return refused(404, 'M_UNRECOGNIZED');
    if (request.headers.authorization !== `Bearer ${matrixAccount.token}`)
      return refused(401, 'M_UNKNOWN_TOKEN');
    const isEncrypted = decodeURIComponent(room) === encryptedRoom;
    if (!isEncrypted && decodeURIComponent(room) !== matrixAccount.room) return refused(403, 'M_FORBIDDEN');
    if (verb === 'state' && type === 'm.room.encryption' && request.method === 'GET')
      return isEncrypted
        ? { status: 200, body: { algorithm: 'm.megolm.v1.aes-sha2' } }
        : refused(404, 'M_NOT_FOUND');
    if (verb !== 'send' || type !== 'm.room.message' || transaction === '' || request.method !== 'PUT')
      return refused(404, 'M_UNRECOGNIZED');
    const known = transactions.get(transaction);
    if (known !== undefined) return { status: 200, body: { event_id: known } };
    if (Buffer.byteLength(request.body) > eventBytes) return refused(413, 'M_TOO_LARGE');
    const content = contentSchema.safeParse(jsonOf(request));
    if (!content.success) return refused(400, 'M_BAD_JSON');
    const id = `$event/${transactions.size}+`;
    transactions.set(transaction, id);
    const { 'm.relates_to': relation, 'm.new_content': replacement = content.data } = content.data;
    const shown = readHtml(replacement.formatted_body ?? '');
    const pings = [
      ...(replacement['m.mentions'].user_ids ?? []),
      ...(replacement['m.mentions'].room ? ['@room'] : []),
    ];
    if (relation) {
      const original = events.find((event) => event.id === relation.event_id);
      if (original) Object.assign(original, shown, { pings, edited: true });
    } else events.push({ ...shown, id, pings, quiet: replacement.msgtype === 'm.notice', edited: false });
    return { status: 200, body: { event_id: id } };
  };
  return { chat, events };
}

/** What a client shows of its HTML: `<a>` makes a link, `<br>` a line, and other tags nothing. */
function readHtml(html: string): Pick<Seen, 'text' | 'links'> {
  const links: string[] = [];
  const [before = '', ...parts] = html.split('<');
  let text = before;
  for (const part of parts) {
    const [tag = '', ...rest] = part.split('>');
    if (tag.startsWith('a href="')) links.push(tag.slice('a href="'.length, -1));
    else if (tag === 'br') text += '\n';
    else if (!['strong', '/strong', '/a'].includes(tag)) links.push(`tag: ${tag}`);
    text += rest.join('>');
  }
  const characters = [
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&#39;', "'"],
    ['&amp;', '&'],
  ] as const;
  return {
    text: characters.reduce((read, [entity, character]) => read.replaceAll(entity, character), text),
    links,
  };
}
