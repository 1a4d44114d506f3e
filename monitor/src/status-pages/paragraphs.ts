import { hostOf, linkOf } from '@homeport/contract/status-pages/links';
import { escapeText } from './escape.ts';

/**
 * Plain text as paragraphs. Addresses that begin with http:// or https:// become links, but none to the console itself; nothing else is
 * markup.
 */
export function paragraphs(text: string, publicUrl: string): string {
  const own = hostOf(new URL(publicUrl));
  const linked = (line: string): string =>
    line
      .split(' ')
      .map((word) => linkedWord(word, own))
      .join(' ');
  return text
    .split('\n\n')
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.trim().split('\n').map(linked).join('<br>')}</p>`)
    .join('');
}

/** Readers see the address as the browser reads it, so that letters of another script do not pass for a known host. */
function linkedWord(word: string, ownHost: string): string {
  const link = linkOf(word);
  if (!link || hostOf(link.url) === ownHost) return escapeText(word);
  const href = escapeText(link.url.href);
  return `<a href="${href}" rel="nofollow noopener noreferrer">${href}</a>${escapeText(link.rest)}`;
}
