import type { Composed } from '../chat/compose-news.ts';
import { withoutLinks } from '../chat/plain-text.ts';

/** An event holds 65,536 bytes at most, and an edit holds a text four times. */
const mostLines = 15;

/** The content of `m.room.message`. `m.mentions` is empty, so that no name in a text calls anybody. */
export function writeMatrix({ heading, lines, facts, more, urgency, acknowledge }: Composed) {
  const shown = lines.slice(0, mostLines);
  const left = lines.length - shown.length + more;
  const pieces = [
    ...shown.map(({ text, url }) => ({ text, url })),
    ...facts.map(([name, value]) => ({ text: `${name}: ${value}`, url: null })),
    ...(left > 0 ? [{ text: `And ${left} more.`, url: null }] : []),
  ].map(({ text, url }) => ({ text: `${withoutLinks(text)} `, url, label: 'See the page' }));
  if (acknowledge !== null) pieces.push({ text: '', url: acknowledge, label: 'Acknowledge' });
  const title = withoutLinks(heading);
  return {
    // Clients show a notice without a sound.
    msgtype: urgency === 'quiet' ? 'm.notice' : 'm.text',
    body: [title, ...pieces.map(({ text, url }) => (url === null ? text.trimEnd() : `${text}${url}`))].join(
      '\n',
    ),
    format: 'org.matrix.custom.html',
    formatted_body: [
      `<strong>${escapeHtml(title)}</strong>`,
      ...pieces.map(({ text, url, label }) =>
        url === null
          ? escapeHtml(text.trimEnd())
          : `${escapeHtml(text)}<a href="${escapeHtml(url)}">${label}</a>`,
      ),
    ].join('<br>'),
    'm.mentions': {},
  };
}

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
