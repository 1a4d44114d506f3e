import type { Composed } from '../chat/compose-news.ts';
import { plainText, withoutLinks } from '../chat/plain-text.ts';

/** Telegram takes 4,096, whether counted in UTF-16 units or in characters. */
const textCharacters = 3_500;

type Entity = { type: 'bold' | 'text_link'; offset: number; length: number; url?: string };

/**
 * The text with its bold heading and its link as entities, counted in UTF-16 units, so nothing in it is markup. Telegram finds links,
 * calls and commands in texts by itself, so names are parted as for other programs that do.
 */
export function writeTelegram(composed: Composed) {
  const heading = withoutLinks(composed.heading);
  const entities: Entity[] = [{ type: 'bold', offset: 0, length: heading.length }];
  let text = `${heading}\n${plainText(composed, { most: textCharacters })}`;
  const link = (label: string, url: string | null | undefined) => {
    text += `\n${label}`;
    if (url)
      entities.push({ type: 'text_link', offset: text.length - label.length, length: label.length, url });
  };
  link('See the page', composed.lines[0]?.url);
  if (composed.acknowledge !== null) link('Acknowledge', composed.acknowledge);
  return {
    ...{ text, entities },
    link_preview_options: { is_disabled: true },
  };
}
