import { toPublic } from '@homeport/rules';
import type { Place } from './response-headers.ts';
import type { Rewriter } from './rewriter.ts';

/** A `url(…)` that is longer passes as it is: an image in the stylesheet itself. */
const longestUrl = 64 * 1024;

/** What ends the open part that is held, so that pieces without it need no other look. */
const ends = { url: /\)/, text: /["'\r\n]/, space: /\S/ } as const;

/** Changes each `url(…)` and each `@import "…"` of a stylesheet that comes in pieces. */
export function createCssRewriter(place: Place): Rewriter {
  let held = '';
  let end: RegExp | null = null;
  const change = (url: string) => toPublic(place.site, place.rule, url, place.origin);
  return {
    write(chunk) {
      held += chunk;
      // A stylesheet may come byte by byte. Reading all that is held for each byte would take minutes.
      if (end !== null && held.length <= longestUrl && !end.test(chunk)) return '';
      const [url, imported] = [openUrl(held), openImport(held)];
      const begin = Math.min(url, imported);
      const ready = held.length - begin > longestUrl ? held.length : begin;
      const out = rewriteCss(held.slice(0, ready), change);
      held = held.slice(ready);
      end = endOf(held);
      return out;
    },
    isDone: () => false,
    end: () => rewriteCss(held, change),
  };
}

/** Null for a part of a word: the next characters decide. */
function endOf(held: string): RegExp | null {
  if (/^url\(/i.test(held)) return ends.url;
  if (!/^@import/i.test(held)) return null;
  return /^@import[ \t\r\n]*["']/i.test(held) ? ends.text : ends.space;
}

export function rewriteCss(css: string, change: (url: string) => string): string {
  return css
    .replace(
      /url\(([ \t\r\n]?)(["']?)([^"'()\s]*)/gi,
      (_whole, space: string, quote: string, url: string) => `url(${space}${quote}${change(url)}`,
    )
    .replace(
      /(@import[ \t\r\n]{0,9}["'])([^"'\r\n]*)/gi,
      (_whole, before: string, url: string) => before + change(url),
    );
}

/** Where an `@import` begins whose string has no end yet, or a part of that word; the length when there is none. */
function openImport(css: string): number {
  const last = css.toLowerCase().lastIndexOf('@import');
  if (last >= 0 && !/^@import[ \t\r\n]*(?:["'][^"'\r\n]*["'\r\n]|[^"'\s])/i.test(css.slice(last)))
    return last;
  const at = css.lastIndexOf('@');
  return at > css.length - 7 && '@import'.startsWith(css.slice(at).toLowerCase()) ? at : css.length;
}

/** Where a `url(` begins that has no end yet, or a part of these four characters; the length when there is none. */
function openUrl(css: string): number {
  const last = css.toLowerCase().lastIndexOf('url(');
  if (last >= 0 && !css.includes(')', last)) return last;
  const tail = css.slice(-3).toLowerCase();
  for (const part of ['url', 'ur', 'u']) if (tail.endsWith(part)) return css.length - part.length;
  return css.length;
}
