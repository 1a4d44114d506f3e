const defaultPorts = { http: '80', https: '443' } as const;

/**
 * The one form of a host and its port: lower case, without a dot at the end of the name, without the port that the scheme has anyway.
 * Websites are told this form and build addresses of it, and the cache keeps answers by it.
 */
export function plainHost(host: string, proto: 'http' | 'https'): string {
  const colon = /:[0-9]*$/.exec(host)?.index ?? host.length;
  const [name, port] = [host.slice(0, colon).toLowerCase(), host.slice(colon + 1).replace(/^0+/, '')];
  const plain = name.endsWith('.') ? name.slice(0, -1) : name;
  return port === '' || port === defaultPorts[proto] ? plain : `${plain}:${port}`;
}
