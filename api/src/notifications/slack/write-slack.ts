import type { Composed } from '../chat/compose-news.ts';
import { cutText } from '../chat/cut-text.ts';

/** Characters of one part. Slack takes 40,000 of a message, and 3,000 of the text of most blocks. */
const partCharacters = 2_900;
const fallbackCharacters = 2_900;

type Part =
  | { type: 'text'; text: string; style?: { bold: true } }
  | { type: 'link'; url: string; text: string };

/**
 * The body of a message. Names stand in elements of rich text, in which Slack parses nothing: in its markup `*`, `_` and `~` have no
 * escape. `text` is for notifications and screen readers; there `&`, `<` and `>` are escaped, so that `<!channel>` calls nobody.
 */
export function writeSlack({ heading, lines, facts, more, acknowledge }: Composed) {
  const [first] = lines;
  const single = lines.length === 1 && first !== undefined;
  const paragraphs: Part[][] = single
    ? [
        [plain(first.text)],
        ...facts.map(([name, value]): Part[] => [plain(`${name}: `), plain(value)]),
        [{ type: 'link', url: first.url, text: 'See the page' }],
      ]
    : lines.map(({ text, url }): Part[] => [plain(`${text} `), { type: 'link', url, text: 'See the page' }]);
  const rest: Part[][] = more > 0 ? [[plain(`And ${more} more.`)]] : [];
  const act: Part[][] =
    acknowledge === null ? [] : [[{ type: 'link', url: acknowledge, text: 'Acknowledge' }]];
  const parts = [[{ ...plain(heading), style: { bold: true } } as const], ...paragraphs, ...rest, ...act];
  const elements = parts.flatMap((part, at): Part[] =>
    at === 0 ? part : [{ type: 'text', text: '\n' }, ...part],
  );
  return {
    text: escapeMarkup(cutText(single ? `${heading}: ${first.text}` : heading, fallbackCharacters)),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
    ...{ unfurl_links: false, unfurl_media: false },
  };
}

const plain = (text: string) => ({ type: 'text', text: cutText(text, partCharacters) }) as const;

const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
