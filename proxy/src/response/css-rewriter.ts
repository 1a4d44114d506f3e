import { toPublic } from '@homeport/rules';
import type { Place } from './response-headers.ts';
import type { Rewriter } from './rewriter.ts';

/** A `url(…)` that is longer passes as it is: an image in the stylesheet itself. */
const longestUrl = 64 * 1024;

/** Changes each `url(…)` and each `@import "…"` of a stylesheet that comes in pieces. */
export function createCssRewriter(place: Place): Rewriter {
  let held = '';
  const change = (url: string) => toPublic(place.site, place.rule, url, place.origin);
  return {
    write(chunk) {
      held += chunk;
      const begin = Math.min(openUrl(held), openImport(held));
      const ready = held.length - begin > longestUrl ? held.length : begin;
      const out = rewriteCss(held.slice(0, ready), change);
      held = held.slice(ready);
      return out;
    },
    end: () => rewriteCss(held, change),
  };
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
