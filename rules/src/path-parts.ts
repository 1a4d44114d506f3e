/** `/blog` covers `/blog`, `/blog/` and `/blog/x`, not `/blogger`. The empty base covers every path. */
export function covers(base: string, path: string): boolean {
  return (
    base === '' ||
    (path.startsWith(base) && (path.length === base.length || path.charAt(base.length) === '/'))
  );
}

export function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The number of segments of a base: 0 for the empty one, 2 for `/a/b`. */
export function countSegments(base: string): number {
  let count = 0;
  for (let at = base.indexOf('/'); at >= 0; at = base.indexOf('/', at + 1)) count += 1;
  return count;
}

/** What follows the first segments: `/x/y` after one segment of `/bl%6Fg/x/y`. Empty, or begins with `/`. */
export function afterSegments(path: string, segments: number): string {
  let at = 0;
  for (let left = segments; left > 0; left -= 1) {
    at = path.indexOf('/', at + 1);
    if (at < 0) return '';
  }
  return path.slice(at);
}

/** Leading slashes and backslashes become one slash: browsers read `//x` and `/\x` as another host. */
export function withOneLeadingSlash(path: string): string {
  let at = 0;
  while (path.charAt(at) === '/' || path.charAt(at) === '\\') at += 1;
  return at === 1 && path.startsWith('/') ? path : `/${path.slice(at)}`;
}
