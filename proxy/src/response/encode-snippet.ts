import { Tokenizer } from 'htmlparser2';

const beyondAscii = /[\u0080-\u{10ffff}]/gu;

/**
 * The snippet as bytes of its page, one character for each byte. Where the page is not UTF-8, the snippet is written in ASCII, which
 * means the same in every charset of the web.
 *
 * @param isUtf8 asked only where the charset matters
 */
export function encodeSnippet(snippet: string, isUtf8: () => boolean): string {
  const bytes = Buffer.from(snippet);
  if (bytes.length === snippet.length) return snippet;
  return isUtf8() ? bytes.toString('latin1') : inAscii(snippet);
}

/** References mean nothing in scripts and styles, whose languages have escapes of their own. JSON has those of JavaScript. */
function inAscii(snippet: string): string {
  let out = '';
  let written = 0;
  let element = '';
  const write = (end: number, spell: (text: string) => string) => {
    out += spell(snippet.slice(written, end));
    written = end;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...unheard,
      onopentagname(start, end) {
        element = snippet.slice(start, end).toLowerCase();
      },
      onclosetag() {
        element = '';
      },
      ontext(start, end) {
        if (element !== 'script' && element !== 'style') return;
        write(start, asReferences);
        write(end, element === 'script' ? asScript : asStyle);
      },
    },
  );
  tokenizer.write(snippet);
  tokenizer.end();
  write(snippet.length, asReferences);
  return out;
}

const asReferences = (text: string) => text.replace(beyondAscii, (one) => `&#${one.codePointAt(0)};`);
const asScript = (text: string) =>
  text.replace(beyondAscii, (one) =>
    one
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
const asStyle = (text: string) =>
  text.replace(beyondAscii, (one) => `\\${one.codePointAt(0)?.toString(16)} `);

function ignore(): void {}
const unheard = {
  ...{ onattribentity: ignore, ontextentity: ignore, onend: ignore, onattribname: ignore },
  ...{ onattribdata: ignore, onattribend: ignore, onopentagend: ignore, onselfclosingtag: ignore },
  ...{ oncomment: ignore, oncdata: ignore, ondeclaration: ignore, onprocessinginstruction: ignore },
};
