import type { Composed } from '../chat/compose-news.ts';
import { plainText, withoutLinks } from '../chat/plain-text.ts';

/** Telegram takes 4,096, whether counted in UTF-16 units or in characters. */
const textCharacters = 3_500;

/**
 * The text with its bold heading and its link as entities, counted in UTF-16 units, so nothing in it is markup. Telegram finds links,
 * calls and commands in texts by itself, so names are parted as for other programs that do.
 */
export function writeTelegram(composed: Composed) {
  const heading = withoutLinks(composed.heading);
  const text = `${heading}\n${plainText(composed, { most: textCharacters })}\n`;
  const link = 'See the page';
  const [first] = composed.lines;
  return {
    text: `${text}${link}`,
    entities: [
      { type: 'bold', offset: 0, length: heading.length },
      ...(first ? [{ type: 'text_link', offset: text.length, length: link.length, url: first.url }] : []),
    ],
    link_preview_options: { is_disabled: true },
  };
}
