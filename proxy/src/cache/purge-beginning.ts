import { hostOfHeader, normalisePath } from '@homeport/rules';

export type Purged = {
  domain: string;
  /** Whether the address of a kept answer begins with what the purge names. */
  fits(key: string): boolean;
};

/** What a purge names. Null for a text without a scheme and a whole host. */
export function purgedBy(startsWith: string): Purged | null {
  const beginning = readBeginning(startsWith);
  if (beginning === null) return null;
  const [, , host = ''] = beginning.split('/', 3);
  return {
    domain: hostOfHeader(host),
    fits(key) {
      const compared = comparedOf(key);
      return compared.startsWith(beginning) || plain(compared).startsWith(beginning);
    },
  };
}

/** `https://example.com` never reaches `example.com.evil`: the beginning holds the whole host. */
function readBeginning(startsWith: string): string | null {
  const found = /^(https?:\/\/[^/?#\s]+)(\/\S*)?$/.exec(startsWith);
  return found ? `${found[1]?.toLowerCase()}${comparedPath(found[2] ?? '/')}` : null;
}

/** Visitors write an address in several ways, and a purge is for all of them: `/bl%6Fg/` is dropped with `/blog/`. */
function comparedOf(key: string): string {
  if (!key.includes('%')) return key;
  const pathAt = key.indexOf('/', 'https://'.length);
  return key.slice(0, pathAt) + comparedPath(key.slice(pathAt));
}

function comparedPath(path: string): string {
  const mark = path.indexOf('?');
  // A key holds what an answer varies on behind a space.
  const space = path.indexOf(' ');
  const end = mark >= 0 ? mark : space >= 0 ? space : path.length;
  return (normalisePath(path.slice(0, end))?.compared ?? path.slice(0, end)) + path.slice(end);
}

/** A domain is purged on every port: a person names the domain alone. */
function plain(key: string): string {
  const hostEnd = key.indexOf('/', 'https://'.length);
  const colon = key.lastIndexOf(':', hostEnd);
  return colon < 'https:'.length ? key : key.slice(0, colon) + key.slice(hostEnd);
}
