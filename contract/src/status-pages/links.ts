type Link = { url: URL /** What ends the sentence does not belong to the address. */; rest: string };

/** The address that a word of a text leads to, where it begins with http:// or https:// and names no person. */
export function linkOf(word: string): Link | null {
  if (!/^https?:\/\//.test(word)) return null;
  const address = /[.,;:!?)]$/.test(word) ? word.slice(0, -1) : word;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return null;
  return { url, rest: word.slice(address.length) };
}

/** Whether a text has a link to the host of this address, on whatever port: a page that a person wrote sends nobody to the console. */
export function linksTo(text: string, publicUrl: string): boolean {
  const own = hostOf(new URL(publicUrl));
  return text.split(/[ \n]/).some((word) => {
    const link = linkOf(word);
    return link !== null && hostOf(link.url) === own;
  });
}

/** The name of an address's host; one with a dot behind it leads to the same host. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
