/**
 * Whether a link to this text opens a web page. A server may report any text as its address, even
 * `javascript:…`.
 */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
