import type { Outgoing } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { cutText } from '../chat/cut-text.ts';
import { plainText } from '../chat/plain-text.ts';
import { pushTextBytes } from './encrypt-push.ts';

/** What the page's service worker (`web/public/service-worker.js`) shows. */
export type PushText = {
  title: string;
  body: string;
  /** A later message with the same tag takes the place of the earlier one on the device. */
  tag: string;
  /** The page that a click opens, on the console's own origin. */
  path: string;
  /** Without a sound. */
  quiet: boolean;
};

/** Characters. A device shows some lines; the rest is on the page. */
const bodyCharacters = 1_000;
const pathCharacters = 500;

/** @param origin the console's origin */
export function writePush(origin: string, { id, news }: Pick<Outgoing, 'id' | 'news'>) {
  const composed = composeNews(origin, news);
  const [{ incident, page }] = news;
  const isOfOne = news.every((each) => each.incident === incident);
  const text = {
    title: composed.heading,
    tag: isOfOne ? incident : id,
    path: news.length > 1 ? '/notifications' : page.length > pathCharacters ? '/home' : page,
    quiet: composed.urgency === 'quiet',
  };
  const body = plainText(composed, { most: bodyCharacters });
  return { text: fit({ ...text, body }), urgency: urgencies[composed.urgency] };
}

/** Of RFC 8030, 5.3: a device that saves power takes `low` later. */
const urgencies = { quiet: 'low', normal: 'normal', urgent: 'high' } as const;

/** A character takes one to four bytes, and two in JSON where it is a quote. */
function fit({ body, ...others }: PushText): PushText {
  for (let most = bodyCharacters; ; most = Math.floor(most / 2)) {
    const text = { ...others, body: cutText(body, most) };
    if (Buffer.byteLength(JSON.stringify(text)) <= pushTextBytes || most < 1) return text;
  }
}
