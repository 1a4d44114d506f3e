/** Whether a link to it opens a web page: an address that a server reported may as well be `javascript:…` or no address. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
