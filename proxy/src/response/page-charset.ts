/**
 * The labels of charsets whose bytes below 0x80 are not always ASCII (WHATWG Encoding Standard, "Names and labels": UTF-16, ISO-2022-JP
 * and those of the replacement decoder), and of two that no browser reads.
 */
const notByteByByte: ReadonlySet<string> = new Set([
  ...['utf-16', 'utf-16le', 'utf-16be', 'ucs-2', 'iso-10646-ucs-2'],
  ...['unicode', 'csunicode', 'unicodefeff', 'unicodefffe'],
  ...['iso-2022-jp', 'csiso2022jp', 'iso-2022-kr', 'csiso2022kr', 'iso-2022-cn', 'iso-2022-cn-ext'],
  ...['hz-gb-2312', 'replacement', 'utf-32', 'utf-32le', 'utf-32be', 'utf-7'],
]);
const utf8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'unicode-1-1-utf-8']);

/** In which a browser looks for the charset of a page whose headers tell none (WHATWG HTML, "prescan a byte stream"). */
export const prescanBytes = 1_024;

export function isByteByByte(charset: string): boolean {
  return !notByteByByte.has(charset);
}

/** The charset that a Content-Type in lower case names. */
export function charsetOfType(type: string): string | null {
  return /charset\s*=\s*["']?([\w-]+)/.exec(type)?.[1] ?? null;
}

/** Whether a page begins with the mark of UTF-16, which counts more than its headers. `begin` has a character for each byte. */
export function isUtf16(begin: string): boolean {
  return begin.startsWith('\xff\xfe') || begin.startsWith('\xfe\xff');
}

/**
 * Whether a browser reads the page as UTF-8: by its mark, its headers, or its first meta element that names a charset. A page that tells
 * nothing is read as the browser's user has it, which is seldom UTF-8.
 */
export function isUtf8(ofType: string | null, begin: string): boolean {
  if (begin.startsWith('\xef\xbb\xbf')) return true;
  return utf8.has(ofType ?? charsetOfMeta(begin.slice(0, prescanBytes).toLowerCase()) ?? '');
}

function charsetOfMeta(begin: string): string | null {
  for (let at = begin.indexOf('<'); at >= 0; at = begin.indexOf('<', at + 1)) {
    const isComment = begin.startsWith('<!--', at);
    const end = isComment ? begin.indexOf('-->', at + 2) : begin.indexOf('>', at);
    if (end < 0) return null;
    const charset = /^<meta[\s/]/.test(begin.slice(at, at + 6)) ? charsetOfType(begin.slice(at, end)) : null;
    if (charset !== null) return charset;
    if (isComment) at = end;
  }
  return null;
}
