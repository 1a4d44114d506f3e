import type { FlatHeaders } from '../response/response-headers.ts';
import { AnswerHead } from './answer-head.ts';

/** What an upstream sent is no answer that can be passed on. */
export class BadAnswer extends Error {
  readonly code = 'bad_answer';
}

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})[ \r]/;
/** A control character, a CR or an LF that stands alone. */
const unlawful = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;

/** Throws for what no head has: a control character, or the half of a line's end. */
export function checkCharacters(text: string): void {
  if (unlawful.test(text)) throw new BadAnswer('The head has a character that no head has.');
}

/** `text` is a head with the end of its last line. */
export function readHead(text: string): AnswerHead {
  checkCharacters(text);
  const found = statusLine.exec(text);
  if (!found) throw new BadAnswer('This is no answer of HTTP/1.1.');
  const flat = readHeaderLines(text, text.indexOf('\r\n') + 2);
  return new AnswerHead(Number(found[2]), flat, found[1] === '1');
}

/** Reads the lines of a text whose every line ends with CRLF, from an offset. */
export function readHeaderLines(text: string, from: number): FlatHeaders {
  const flat: FlatHeaders = [];
  for (let at = from; at < text.length; ) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon > end) throw new BadAnswer('A header has no colon.');
    let first = colon + 1;
    let last = end;
    while (first < last && isBlank(text.charCodeAt(first))) first += 1;
    while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1;
    flat.push(lowerName(text.slice(at, colon)), text.slice(first, last));
    at = end + 2;
  }
  return flat;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Names that came before, in lower case. Most answers have no other ones. */
const known = new Map<string, string>();
const knownAtMost = 1_000;
const knownLength = 64;

function lowerName(name: string): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (!token.test(name)) throw new BadAnswer('A header has no name.');
  const lower = name.toLowerCase();
  // Any upstream can send any name.
  if (known.size < knownAtMost && name.length <= knownLength) known.set(name, lower);
  return lower;
}
