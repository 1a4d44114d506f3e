/** A request's path after normalising. Both forms have the same number of segments. */
export type NormalPath = {
  /** What the upstream gets: dot segments are gone, the visitor's own escapes stay. */
  sent: string;
  /** What rules are compared with: unreserved characters are decoded, hex digits are upper case (RFC 3986, 6.2.2). */
  compared: string;
};

const unsafe = /[^\x21-\x7e]/;
const unreserved = /[A-Za-z0-9\-._~]/;

/**
 * The one normal form of a path, for matching and for sending. Null for a path that is refused: broken escapes, NUL, characters that
 * no URL has, a segment that another program could read as a way out of the upstream's mount, or a way up that two programs read
 * differently.
 *
 * @param path begins with `/`, without query
 */
export function normalisePath(path: string): NormalPath | null {
  if (!path.startsWith('/') || unsafe.test(path) || path.includes('#') || path.includes('?')) return null;
  if (isNormal(path)) return { sent: path, compared: path };
  const sent: string[] = [];
  const compared: string[] = [];
  const segments = path.slice(1).split('/');
  for (const [index, raw] of segments.entries()) {
    const segment = readSegment(raw);
    if (segment === null) return null;
    const isLast = index === segments.length - 1;
    if (segment.compared === '.' || segment.compared === '..') {
      if (segment.compared === '..') {
        sent.pop();
        // A program that decodes first goes up from `b` in `/a%2Fb/..`, and another one from `a%2Fb`.
        if (hasCodedBorder(compared.pop() ?? '')) return null;
      }
      if (isLast) {
        sent.push('');
        compared.push('');
      }
      continue;
    }
    sent.push(segment.sent);
    compared.push(segment.compared);
  }
  return { sent: withOneSlash(sent), compared: withOneSlash(compared) };
}

/** Most paths need no work. */
function isNormal(path: string): boolean {
  return (
    !path.includes('%') &&
    !path.includes('\\') &&
    !path.includes('/.') &&
    !path.includes('//') &&
    !path.includes('..;')
  );
}

/** Leading slashes become one: `//host` reads as another host. */
function withOneSlash(segments: string[]): string {
  let first = 0;
  while (first < segments.length - 1 && segments[first] === '') first += 1;
  return `/${segments.slice(first).join('/')}`;
}

function readSegment(raw: string): NormalPath | null {
  if (!raw.includes('%') && !raw.includes('\\') && !raw.startsWith('..')) return { sent: raw, compared: raw };
  const sent = raw.replaceAll('\\', '%5C');
  let compared = '';
  let decoded = '';
  for (let at = 0; at < sent.length; at += 1) {
    const character = sent.charAt(at);
    if (character !== '%') {
      compared += character;
      decoded += character;
      continue;
    }
    const code = hexByte(sent, at + 1);
    if (code === null || code === 0) return null;
    const meant = String.fromCharCode(code);
    compared += unreserved.test(meant) ? meant : sent.slice(at, at + 3).toUpperCase();
    decoded += meant;
    at += 2;
  }
  if (compared !== '.' && compared !== '..' && climbs(decoded)) return null;
  return { sent, compared };
}

const hasCodedBorder = (compared: string) => compared.includes('%2F') || compared.includes('%5C');

function hexByte(text: string, at: number): number | null {
  const digits = text.slice(at, at + 2);
  return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}

/**
 * Whether a program that decodes the segment once more leaves the segment upwards: `../api`, `..;`. Such a program takes `/` and `\`
 * for borders and drops what follows a `;`.
 */
function climbs(decoded: string): boolean {
  let depth = 0;
  for (const part of decoded.split(/[/\\]/)) {
    const name = part.split(';', 1)[0];
    if (name === '..') depth -= 1;
    else if (name !== '' && name !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
