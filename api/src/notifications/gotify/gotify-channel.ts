import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { type Composed, composeNews } from '../chat/compose-news.ts';
import { plainText, withoutLinks } from '../chat/plain-text.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { withTarget } from '../http/with-target.ts';

/** What is sealed. `server` ends with a slash: it may be below a path. */
const gotifySecretSchema = z.object({ server: z.string(), token: z.string() });

export function keepGotify({ url: text, token }: Extract<Target, { kind: 'gotify' }>) {
  const url = new URL(text);
  const server = `${url.origin}${url.pathname.replace(/\/$/, '')}/`;
  return { shown: url.host, kept: { server, token } satisfies z.output<typeof gotifySecretSchema> };
}

const messageCharacters = 4_000;
const priorities = { quiet: 2, normal: 5, urgent: 8 } as const;

/** A server of Gotify (its docs/spec.json, `createMessage`). A message cannot be changed with the token of an application. */
export function createGotifyChannel({ sealer, gate, origin }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 500 },
    deliver: ({ destination, news }) =>
      withTarget(sealer, destination, gotifySecretSchema, async ({ server, token }) => {
        const url = new URL('message', server);
        const body = JSON.stringify(writeGotify(origin, composeNews(origin, news)));
        const posted = await postOnce(
          gate,
          { url, headers: { 'x-gotify-key': token }, body },
          destinationLimits.tryMs,
        );
        return judgeAnswer(posted, url.host, readGotify);
      }),
  };
}

function writeGotify(origin: string, composed: Composed) {
  const { heading, lines, urgency } = composed;
  const click = lines.length === 1 ? lines[0]?.url : origin;
  return {
    title: withoutLinks(heading),
    message: plainText(composed, { most: messageCharacters }),
    priority: priorities[urgency],
    extras: {
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: click } },
    },
  };
}

function readGotify({ status }: { status: number }): Meaning {
  if (status === 401 || status === 403)
    return { outcome: 'broken', why: 'the token of the application is not right' };
  return status === 404 ? { outcome: 'broken', why: 'no Gotify answers at this address' } : {};
}
