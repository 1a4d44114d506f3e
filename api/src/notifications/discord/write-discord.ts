import type { Composed } from '../chat/compose-news.ts';
import { fitLines } from '../chat/cut-text.ts';

/** Discord's limits of an embed are 256 for its title, 4,096, 1,024 for a field, and 6,000 for everything together. Escaped texts count. */
const bounds = { title: 256, description: 2_900, field: 500 } as const;
/** The message makes no sound (`SUPPRESS_NOTIFICATIONS`). */
const silent = 4_096;
const colours = { critical: 0xd92d20, warning: 0xf79009, info: 0x667085 } as const;
const resolvedColour = 0x12b76a;

/** The body of a message. `allowed_mentions` is said each time, also when a message is changed: else Discord looks for calls in the text. */
export function writeDiscord(
  { heading, lines, facts, more, severity, state, urgency, acknowledge }: Composed,
  method: 'POST' | 'PATCH',
) {
  const [first] = lines;
  const isSingle = lines.length === 1 && first !== undefined;
  const description = isSingle
    ? escapeWithin(first.text, bounds.description)
    : fitLines(
        lines.map(({ text, url }) => `${escapeWithin(text, bounds.field)} [See the page](${url})`),
        { most: bounds.description, more },
      );
  return {
    embeds: [
      {
        title: escapeWithin(heading, bounds.title),
        description: acknowledge === null ? description : `${description}\n[Acknowledge](${acknowledge})`,
        color: state === 'resolved' ? resolvedColour : colours[severity],
        ...(isSingle && { url: first.url }),
        fields: facts.map(([name, value]) => ({
          name,
          value: escapeWithin(value, bounds.field),
          inline: false,
        })),
      },
    ],
    allowed_mentions: { parse: [] },
    ...(method === 'POST' && urgency === 'quiet' && { flags: silent }),
  };
}

const marks: ReadonlySet<string> = new Set('\\*_~`|>#-[]()<:@+.');

/** Puts `\` before what Discord's Markdown could read, and stops before the text is too long. */
function escapeWithin(text: string, most: number): string {
  let written = '';
  for (const character of text) {
    const next = marks.has(character) ? `\\${character}` : character;
    if (written.length + next.length >= most) return `${written}…`;
    written += next;
  }
  // A field without a value is refused.
  return written === '' ? '\u2013' : written;
}
