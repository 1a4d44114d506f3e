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
 * Names that programs believe in place of the request itself: of its address and host, of its length, and of a variable
 * (`Proxy` becomes HTTP_PROXY in a CGI program).
 */
const believed: ReadonlySet<string> = new Set([
  ...['x-original-url', 'x-rewrite-url', 'x-original-host', 'x-host', 'x-http-host-override', 'proxy'],
  // No website hears what makes this plane believe.
  frontSecretName,
]);

/** Names by which fronts of other makers say who the visitor is. */
const addressNames: ReadonlySet<string> = new Set([
  ...['cf-connecting-ip', 'cf-connecting-ipv6', 'true-client-ip', 'client-ip', 'x-client-ip'],
  ...['x-cluster-client-ip', 'fastly-client-ip', 'x-envoy-external-address', 'x-original-forwarded-for'],
]);

export function isBelieved(name: string): boolean {
  return believed.has(name);
}

export function saysAddress(name: string): boolean {
  return addressNames.has(name);
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

const nothing: ReadonlySet<string> = new Set();
