/** Header names that belong to one connection (RFC 9110, 7.6.1), and those that this plane sets by itself. All in lower case. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]);

export function isHopByHop(name: string): boolean {
  return hopByHop.has(name);
}

/** In it a front shows the secret that makes it believed. */
export const frontSecretName = 'x-homeport-front';

/**
 * Names that programs believe in place of the request itself: of its address, host and scheme, of its length, and of a variable
 * (`Proxy` becomes HTTP_PROXY in a CGI program).
 */
const believed: ReadonlySet<string> = new Set([
  ...['x-original-url', 'x-rewrite-url', 'x-original-host', 'x-host', 'x-http-host-override', 'proxy'],
  ...['x-scheme', 'x-url-scheme', 'front-end-https', 'script-name', 'path-info', 'x-script-name'],
  // No website hears what makes this plane believe.
  frontSecretName,
]);

/** Names by which fronts of other makers say who the visitor is. */
const addressNames: ReadonlySet<string> = new Set([
  ...['cf-connecting-ip', 'cf-connecting-ipv6', 'true-client-ip', 'client-ip', 'x-client-ip'],
  ...['x-cluster-client-ip', 'fastly-client-ip', 'x-envoy-external-address', 'x-original-forwarded-for'],
  ...['proxy-client-ip', 'wl-proxy-client-ip', 'x-originating-ip', 'x-remote-ip', 'x-remote-addr'],
]);

export function isBelieved(name: string): boolean {
  return believed.has(name);
}

export function saysAddress(name: string): boolean {
  return addressNames.has(name);
}

/** By these a website takes a request for one of another method. */
export const methodNames = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;
const otherMethods: ReadonlySet<string> = new Set(methodNames);

export function saysMethod(name: string): boolean {
  return otherMethods.has(name);
}

/** The values that the plane gives these differ from visitor to visitor. */
const ofEachVisitor: ReadonlySet<string> = new Set(['x-forwarded-for', 'forwarded', 'via', 'cdn-loop']);

/**
 * What the plane makes of a header: one of another value for each visitor, one of the same value for all visitors of an address, or what
 * the visitor sent.
 */
export function ownerOf(name: string): 'plane_for_each' | 'plane_for_all' | 'visitor' {
  const plain = spelled(name);
  if (ofEachVisitor.has(plain) || saysAddress(plain)) return 'plane_for_each';
  // A visitor decides alone whether it takes trailers.
  const isOwn = isForwarding(plain) || isBelieved(plain) || isHopByHop(plain) || plain === 'host';
  return isOwn && plain !== 'te' ? 'plane_for_all' : 'visitor';
}

/** Names that say who the visitor is. From a visitor they are lies, in any spelling that a program could take for them. */
export function isForwarding(name: string): boolean {
  return (
    name.startsWith('x-forwarded-') || name === 'x-forwarded' || name === 'x-real-ip' || name === 'forwarded'
  );
}

/** A program may read `X_Forwarded_For` as `X-Forwarded-For`. */
export function spelled(name: string): string {
  return name.includes('_') ? name.replaceAll('_', '-') : name;
}

/** The names that a Connection header takes away. */
export function namedByConnection(value: string | undefined): ReadonlySet<string> {
  if (value === undefined || value === '' || value.toLowerCase() === 'keep-alive') return nothing;
  return new Set(value.split(',').map((name) => name.trim().toLowerCase()));
}

/** True when Connection takes a header away that is for the website. */
export function takesAway(connection: string | undefined): boolean {
  for (const name of namedByConnection(connection))
    if (name !== '' && name !== 'close' && !isHopByHop(name)) return true;
  return false;
}

const nothing: ReadonlySet<string> = new Set();
