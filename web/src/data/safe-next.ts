/**
 * The address to open after signing in. It must be a path of this console, so that a link cannot lead away. A
 * browser drops tabs and line feeds and reads `\` as `/` (WHATWG URL, sections 4.4 and 4.5). Therefore the
 * check uses the parsed URL, not the text.
 */
export function safeNext(wanted: string | undefined, origin = location.origin): string | undefined {
  if (!wanted?.startsWith('/')) return undefined;
  const path = pathWithin(origin, wanted);
  // `/.//evil.example` is a path of this origin, but its resolved text names another origin.
  if (path === undefined || pathWithin(origin, path) !== path) return undefined;
  return path === '/' || path === '/home' ? undefined : path;
}

function pathWithin(origin: string, address: string): string | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : undefined;
}
