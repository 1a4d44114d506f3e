/** Whether the address of a kept answer begins with what a purge names. Null for a text without a scheme and a whole host. */
export function purgedBy(startsWith: string): ((key: string) => boolean) | null {
  const beginning = readBeginning(startsWith);
  if (beginning === null) return null;
  return (key) => key.startsWith(beginning) || plain(key).startsWith(beginning);
}

/** `https://example.com` never reaches `example.com.evil`: the beginning holds the whole host. */
function readBeginning(startsWith: string): string | null {
  const found = /^(https?:\/\/[^/?#\s]+)(\/\S*)?$/.exec(startsWith);
  return found ? `${found[1]?.toLowerCase()}${found[2] ?? '/'}` : null;
}

/** A domain is purged on every port, and with a last dot too: a person names the domain alone. */
function plain(key: string): string {
  const hostEnd = key.indexOf('/', 'https://'.length);
  const colon = key.lastIndexOf(':', hostEnd);
  const nameEnd = colon < 'https:'.length ? hostEnd : colon;
  return key.slice(0, key[nameEnd - 1] === '.' ? nameEnd - 1 : nameEnd) + key.slice(hostEnd);
}
