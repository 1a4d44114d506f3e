import { isIP } from 'node:net';
import type { Gate, Refusal } from '@homeport/egress';

/** Why this URL is not requested, judged by its text. Null when it may be. Its name is judged when it is resolved. */
export function refuseUrl(url: URL, gate: Gate): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'This is not an http or https address.';
  if (url.username !== '' || url.password !== '') return 'An address with a user name is not checked.';
  const port = portOf(url);
  if (port !== 80 && port !== 443 && port < 1024) return `Port ${port} is not checked.`;
  const host = hostOf(url);
  const refusal = isIP(host) === 0 ? null : gate.refuses(host, port);
  return refusal === null ? null : sayRefusal(refusal);
}

/** A refusal of the gate, as a sentence for the person whose app is checked. */
export function sayRefusal({ kind, text, port }: Refusal): string {
  switch (kind) {
    case 'not_an_address':
      return `${text} is not an address.`;
    case 'never':
    case 'private':
      return `${text} is not a public address, and this console does not check it.`;
    case 'console':
    case 'own_port':
    case 'own_name':
      return `${text} is the console itself, where port ${port} is not checked.`;
  }
}

/** The host of a URL in the form that a resolver or a socket takes: without brackets and without the root's dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
