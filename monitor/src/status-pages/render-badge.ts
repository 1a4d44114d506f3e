import type { ComponentState } from '@homeport/contract/status-pages/facts';
import type { ShownStatusPage } from '@homeport/store';
import { escapeText } from './escape.ts';
import { headlineOf } from './say.ts';

/** White text on each has a contrast of 4.5 at least. */
const colours: Record<ComponentState, string> = {
  up: '#1a7f4b',
  slow: '#9a6700',
  down: '#c62828',
  maintenance: '#33617a',
  unknown: '#5c6b73',
};

const label = 'status';
/** `textLength` makes any font as wide as this. */
const widthOf = (text: string) => Math.round(text.length * 6.4) + 12;

/** A picture of the overall state for other pages. A picture loads no style, so the colours are attributes. */
export function renderBadge({
  title,
  components,
  posts,
}: Pick<ShownStatusPage, 'title' | 'components' | 'posts'>): string {
  const { state, word } = headlineOf({ components, posts });
  const [left, right] = [widthOf(label), widthOf(word)];
  const text = (value: string, x: number, width: number) =>
    `<text x="${x + 6}" y="14" textLength="${width - 12}">${value}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escapeText(title)}: ${word}"><title>${escapeText(title)}: ${word}</title><rect width="${left}" height="20" fill="#3f4b52"/><rect x="${left}" width="${right}" height="20" fill="${colours[state]}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(label, 0, left)}${text(word, left, right)}</g></svg>`;
}
