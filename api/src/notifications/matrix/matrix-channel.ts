import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel, Delivered } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { type Post, type Posted, postOnce } from '../http/post-once.ts';
import { readJson } from '../http/read-json.ts';
import { withTarget } from '../http/with-target.ts';
import { writeMatrix } from './write-matrix.ts';

/** What is sealed. `server` ends with a slash. */
const matrixSecretSchema = z.object({ server: z.string(), room: z.string(), token: z.string() });
type Secret = z.output<typeof matrixSecretSchema>;

export function keepMatrix({ url: text, room, token }: Extract<Target, { kind: 'matrix' }>) {
  const url = new URL(text);
  const server = `${url.origin}${url.pathname.replace(/\/$/, '')}/`;
  return { shown: `${room} at ${url.host}`, kept: { server, room, token } satisfies Secret };
}

/**
 * A room of Matrix (Client-Server API 1.16, "Sending events to a room"). The transaction is the message's id, so a repeated try is no
 * second message. The end of an incident is written into its first message, too.
 */
export function createMatrixChannel({ sealer, gate, origin }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 1_000 },
    deliver: ({ id, destination, news, firstPosted }) =>
      withTarget(sealer, destination, matrixSecretSchema, async (secret) => {
        const { server, room } = secret;
        const who = new URL(server).host;
        const ask = (method: 'GET' | 'PUT', path: string, content?: object) =>
          postOnce(gate, requestTo(secret, method, path, content), destinationLimits.tryMs);
        const encryption = await ask('GET', 'state/m.room.encryption');
        if (!isAbsent(encryption)) {
          const looked = judgeAnswer(encryption, who, readMatrix);
          return looked.outcome === 'sent' ? encrypted : looked;
        }
        const composed = composeNews(origin, news);
        const content = writeMatrix(composed);
        const first = firstOf(firstPosted, room);
        if (first !== null && composed.state === 'resolved') {
          const edit = {
            ...content,
            body: `* ${content.body}`,
            'm.new_content': content,
            'm.relates_to': replaces(first),
          };
          const changed = judgeAnswer(
            await ask('PUT', `send/m.room.message/${id}.end`, edit),
            who,
            readMatrix,
          );
          if (changed.outcome === 'failed') return changed;
        }
        const posted = await ask('PUT', `send/m.room.message/${id}`, content);
        const delivered = judgeAnswer(posted, who, readMatrix);
        const event =
          posted.kind === 'answered' && readJson(posted.body, z.object({ event_id: z.string().max(255) }));
        return delivered.outcome === 'sent' && event
          ? { ...delivered, posted: JSON.stringify([room, event.event_id]) }
          : delivered;
      }),
  };
}

/** Only this answer says that the room is in clear: a server that cannot say is asked again, before anything is sent. */
const isAbsent = (posted: Posted) =>
  posted.kind === 'answered' &&
  posted.status === 404 &&
  readJson(posted.body, errorSchema)?.errcode === 'M_NOT_FOUND';

const encrypted: Delivered = {
  outcome: 'broken',
  answer: 'The room is encrypted, and the console cannot write there. Choose a room without encryption.',
};

function requestTo(
  { server, room, token }: Secret,
  method: 'GET' | 'PUT',
  path: string,
  content?: object,
): Post {
  return {
    url: new URL(`_matrix/client/v3/rooms/${encodeURIComponent(room)}/${path}`, server),
    ...{ method, headers: { authorization: `Bearer ${token}` } },
    body: content === undefined ? '' : JSON.stringify(content),
  };
}

const replaces = (event: string) => ({ rel_type: 'm.replace', event_id: event });

/** The first message, if it stands in this room. */
function firstOf(posted: string | null, room: string): string | null {
  const [where, event] = readJson(posted ?? '', z.tuple([z.string(), z.string()])) ?? [];
  return where === room && event !== undefined ? event : null;
}

const errorSchema = z.object({ errcode: z.string(), retry_after_ms: z.number().min(0).optional() });

function readMatrix({ body }: Answered): Meaning {
  const { errcode, retry_after_ms: wait } = readJson(body, errorSchema) ?? {};
  if (errcode === 'M_LIMIT_EXCEEDED')
    return {
      why: 'too many messages at once',
      // Older servers say it here and in no header.
      ...(wait !== undefined && { retryAfterMs: Math.min(wait, destinationLimits.retryAfterMs) }),
    };
  if (errcode === 'M_UNKNOWN_TOKEN') return { outcome: 'broken', why: 'the access token is not right' };
  if (errcode === 'M_FORBIDDEN')
    return { outcome: 'broken', why: 'the account may not write into this room' };
  return {};
}
