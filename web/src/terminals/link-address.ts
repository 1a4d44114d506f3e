/** So much of an address stands beside the pointer. */
const shownLength = 500;

/** Where a link of a program leads, as the browser reads it; nothing if it leads nowhere. */
export const shownAddress = (address: string): string => addressOf(address)?.slice(0, shownLength) ?? '';

export function openLink(address: string): void {
  const href = addressOf(address);
  if (href !== null) window.open(href, '_blank', 'noopener,noreferrer');
}

/** Of the web alone. Letters of other scripts and signs that turn text round are spelled out in it. */
function addressOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
