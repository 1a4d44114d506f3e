import { toPublic } from '@homeport/rules';
import { QuoteType, Tokenizer } from 'htmlparser2';
import { rewriteCss } from './css-rewriter.ts';
import { type Place, publicRefresh } from './response-headers.ts';
import type { Rewriter } from './rewriter.ts';
import { rewriteSrcset } from './srcset.ts';

/** An element that is longer than this passes as it is, so that no page fills the memory. */
const longestElement = 1024 * 1024;

const urlAttributes: ReadonlySet<string> = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'data',
  'background',
]);
const listAttributes: ReadonlySet<string> = new Set(['srcset', 'imagesrcset']);

/**
 * Puts the snippet into a page and gives links of a subdirectory rule their base back. The snippet goes before `</head>`, else
 * before `<body`, else before `</body>` or `</html>`, else to the end.
 */
export function createHtmlRewriter(
  place: Place,
  { links, snippet }: { links: boolean; snippet: string | null },
): Rewriter {
  let held = '';
  /** The offset of `held` in the page. */
  let from = 0;
  /** Everything before this offset is decided. */
  let decided = 0;
  let patches: { start: number; end: number; text: string }[] = [];
  let waiting = snippet;
  let passing = false;
  let attribute = { name: '', start: -1, end: -1 };
  let metaContent: { start: number; end: number } | null = null;
  let element = '';
  let isRefresh = false;

  const slice = (start: number, end: number) => held.slice(start - from, end - from);
  const insert = (at: number) => {
    if (waiting === null) return;
    patches.push({ start: at, end: at, text: waiting });
    waiting = null;
  };
  const patch = (start: number, end: number, change: (value: string) => string) => {
    const value = slice(start, end);
    const changed = change(value);
    if (changed !== value) patches.push({ start, end, text: changed });
  };
  const url = (value: string) => {
    const spaces = value.length - value.trimStart().length;
    const changed = toPublic(place.site, place.rule, value.slice(spaces), place.origin);
    return value.slice(0, spaces) + changed;
  };

  function endAttribute(): void {
    const { name, start, end } = attribute;
    if (!links || start < 0) return;
    if (urlAttributes.has(name) && (name !== 'data' || element === 'object')) patch(start, end, url);
    else if (listAttributes.has(name)) patch(start, end, (value) => rewriteSrcset(value, url));
    else if (name === 'style') patch(start, end, (value) => rewriteCss(value, url));
    else if (element === 'meta' && name === 'http-equiv')
      isRefresh = slice(start, end).toLowerCase() === 'refresh';
    else if (element === 'meta' && name === 'content') metaContent = { start, end };
  }
  function endTag(end: number): void {
    if (metaContent !== null && isRefresh)
      patch(metaContent.start, metaContent.end, (value) => publicRefresh(value, place));
    metaContent = null;
    isRefresh = false;
    decided = end + 1;
  }

  function decide(_start: number, end: number): void {
    decided = end;
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        element = slice(start, end).toLowerCase();
        if (element === 'body') insert(start - 1);
      },
      onattribname(start, end) {
        attribute = { name: slice(start, end).toLowerCase(), start: -1, end: -1 };
      },
      onattribdata(start, end) {
        if (attribute.start < 0) attribute.start = start;
        attribute.end = end;
      },
      onattribentity: ignore,
      onattribend(quote) {
        if (quote !== QuoteType.NoValue) endAttribute();
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(start, end) {
        const name = slice(start, end).toLowerCase();
        if (name === 'head' || name === 'body' || name === 'html') insert(start - 2);
        decided = end;
      },
      ontext: decide,
      ontextentity: ignore,
      oncomment: decide,
      oncdata: decide,
      ondeclaration: decide,
      onprocessinginstruction: decide,
      onend: ignore,
    },
  );

  /** What stands before this offset, with its patches. Patches of an element that has no end yet wait. */
  function take(end: number): string {
    let out = '';
    let at = from;
    const ready = patches.filter(({ start, end: until }) => start < end && until <= end);
    patches = patches.slice(ready.length);
    for (const { start, end: until, text } of ready) {
      out += slice(at, start) + text;
      at = until;
    }
    out += slice(at, end);
    held = held.slice(end - from);
    from = end;
    return out;
  }

  function takeAll(): string {
    const late = patches.filter(({ start }) => start === from + held.length).map(({ text }) => text);
    return take(from + held.length) + late.join('');
  }

  return {
    write(chunk) {
      if (passing) return chunk;
      held += chunk;
      tokenizer.write(chunk);
      const isTooLong = held.length - (decided - from) > longestElement;
      if (!isTooLong && !(waiting === null && !links)) return take(Math.max(decided, from));
      // Nothing is left to change, or the page is not one to change: the rest passes untouched.
      passing = true;
      return takeAll();
    },
    end() {
      if (passing) return waiting ?? '';
      tokenizer.end();
      const rest = takeAll();
      const last = waiting ?? '';
      waiting = null;
      return rest + last;
    },
  };
}

function ignore(): void {}
