import { toPublic } from '@homeport/rules';
import { QuoteType, Tokenizer } from 'htmlparser2';
import { rewriteCss } from './css-rewriter.ts';
import { createPatchedText } from './patched-text.ts';
import { type Place, publicRefresh } from './response-headers.ts';
import type { Rewriter } from './rewriter.ts';
import { rewriteSrcset } from './srcset.ts';
import { waitingSnippet } from './waiting-snippet.ts';

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
/** The snippet goes before the first of these ends, unless it has its place already. */
const closing: ReadonlySet<string> = new Set(['head', 'body', 'html']);

/**
 * Puts the snippet into a page and gives links of a subdirectory rule their base back. The snippet goes before `</head>`, else
 * before `<body`, else before `</body>` or `</html>`, else to the end.
 */
export function createHtmlRewriter(
  place: Place,
  { links, snippet, charset }: { links: boolean; snippet: string | null; charset: string | null },
): Rewriter {
  const page = createPatchedText();
  /** Everything before this offset is decided. */
  let decided = 0;
  const waiting = waitingSnippet(snippet, charset);
  let passing = false;
  let attribute = { name: '', start: -1, end: -1 };
  let metaContent: { start: number; end: number } | null = null;
  let element = '';
  let isRefresh = false;

  const insert = (at: number) => {
    if (!waiting.isLeft()) return;
    page.patch(at, at, waiting.take());
    // Nothing else is looked for, so the rest need not be read.
    if (!links) tokenizer.pause();
  };
  const patch = (start: number, end: number, change: (value: string) => string) => {
    const value = page.slice(start, end);
    const changed = change(value);
    if (changed !== value) page.patch(start, end, changed);
  };
  const url = (value: string) => withPublicUrl(value, place);

  function endAttribute(): void {
    const { name, start, end } = attribute;
    if (!links || start < 0) return;
    if (urlAttributes.has(name) && (name !== 'data' || element === 'object')) patch(start, end, url);
    else if (listAttributes.has(name)) patch(start, end, (value) => rewriteSrcset(value, url));
    else if (name === 'style') patch(start, end, (value) => rewriteCss(value, url));
    else if (element === 'meta' && name === 'http-equiv')
      isRefresh = page.slice(start, end).toLowerCase() === 'refresh';
    else if (element === 'meta' && name === 'content') metaContent = { start, end };
  }
  function endTag(end: number): void {
    if (metaContent !== null && isRefresh)
      patch(metaContent.start, metaContent.end, (value) => publicRefresh(value, place));
    metaContent = null;
    isRefresh = false;
    decided = end + 1;
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...unheard,
      ...decidedBy((end) => {
        decided = end;
      }),
      onopentagname(start, end) {
        element = page.slice(start, end).toLowerCase();
        if (element === 'body') insert(start - 1);
      },
      onattribname(start, end) {
        if (!links) return;
        attribute = { name: page.slice(start, end).toLowerCase(), start: -1, end: -1 };
      },
      onattribdata(start, end) {
        if (!links) return;
        if (attribute.start < 0) attribute.start = start;
        attribute.end = end;
      },
      onattribend(quote) {
        if (quote !== QuoteType.NoValue) endAttribute();
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(start, end) {
        if (closing.has(page.slice(start, end).toLowerCase())) insert(start - 2);
        decided = end;
      },
    },
  );

  /** Nothing is left to change, or the page is not one to change: the rest passes untouched. */
  const pass = () => {
    passing = true;
    return page.takeAll();
  };
  return {
    isDone: () => passing && !waiting.isLeft(),
    write(chunk) {
      if (passing) return chunk;
      page.add(chunk);
      if (!waiting.fits(chunk)) return pass();
      tokenizer.write(chunk);
      const isTooLong = page.length() - (decided - page.from()) > longestElement;
      if (isTooLong || !(waiting.isLeft() || links)) return pass();
      return page.take(Math.max(decided, page.from()));
    },
    end() {
      if (passing) return waiting.take();
      tokenizer.end();
      return page.takeAll() + waiting.take();
    },
  };
}

const unheard = { onattribentity: ignore, ontextentity: ignore, onend: ignore };
function ignore(): void {}

/** What is no element is decided as soon as it ends. */
function decidedBy(decide: (end: number) => void) {
  const heard = (_start: number, end: number) => decide(end);
  return {
    ontext: heard,
    oncomment: heard,
    oncdata: heard,
    ondeclaration: heard,
    onprocessinginstruction: heard,
  };
}

/** Spaces around a URL mean nothing in an attribute. */
function withPublicUrl(value: string, { site, rule, origin }: Place): string {
  const spaces = value.length - value.trimStart().length;
  return value.slice(0, spaces) + toPublic(site, rule, value.slice(spaces), origin);
}
