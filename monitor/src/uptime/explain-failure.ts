import type { UptimeCause } from '@homeport/contract/uptime/facts';
import type { UptimeCertificate } from '@homeport/contract/uptime/schema';
import { RefusedDestination } from '@homeport/egress';
import { describeRefusal } from './certificate.ts';
import { sayRefusal } from './refuse-url.ts';
import { type Hop, Overdue, RefusedCertificate, type Stage } from './request-once.ts';
import { NameError } from './resolver.ts';

type Target = { host: string; port: number; certificate: UptimeCertificate | null };
type Failure = { cause: UptimeCause; text: string };

const tooBusy: Failure = { cause: 'checker', text: 'The console was too busy to check.' };

/** Why a request got no answer, as a code and a sentence of ours. The sentence never repeats text from the other end. */
export function explainFailure(
  { error, at }: NonNullable<Hop['failed']>,
  { host, port, certificate }: Target,
): Failure {
  if (error instanceof Overdue) return error.late ? tooBusy : overdue(at, host, port);
  if (error instanceof RefusedDestination)
    return { cause: 'blocked_address', text: `${host} is not checked: ${sayRefusal(error.refusal)}` };
  if (error instanceof RefusedCertificate && certificate)
    return { cause: 'tls', text: describeRefusal(certificate, host) };
  if (error instanceof NameError) return nameless(error.code, host);
  return byCode(codeOf(error), host, port);
}

function overdue(at: Stage, host: string, port: number): Failure {
  switch (at) {
    case 'name':
      return { cause: 'dns', text: `DNS did not answer for ${host} in time.` };
    case 'connect':
      return {
        cause: 'connect_timeout',
        text: `${host} did not accept a connection on port ${port} in time.`,
      };
    case 'headers':
      return { cause: 'timeout_headers', text: `${host} did not begin to answer in time.` };
    case 'body':
      return { cause: 'timeout_body', text: `The answer of ${host} was not complete in time.` };
  }
}

function nameless(code: string, host: string): Failure {
  const hasNone = code === 'ENOTFOUND' || code === 'ENODATA';
  return {
    cause: 'dns',
    text: hasNone ? `DNS has no address for ${host}.` : `The DNS lookup of ${host} failed (${code}).`,
  };
}

/** Codes of the operating system (errno(3)), of Node's HTTP parser (HPE_) and of its TLS. */
function byCode(code: string, host: string, port: number): Failure {
  switch (code) {
    case 'ECONNREFUSED':
      return { cause: 'connect_refused', text: `${host} refuses connections on port ${port}.` };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return { cause: 'connect_refused', text: `${host} cannot be reached (${code}).` };
    case 'ETIMEDOUT':
      return { cause: 'connect_timeout', text: `${host} did not accept a connection on port ${port}.` };
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOBUFS':
    case 'ENOMEM':
      return { cause: 'checker', text: `The console could not open a connection (${code}).` };
  }
  if (code.startsWith('HPE_'))
    return { cause: 'bad_answer', text: `The answer of ${host} is not HTTP (${code}).` };
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return { cause: 'tls', text: `The TLS handshake with ${host} failed (${code}).` };
  return { cause: 'connection_lost', text: `${host} closed the connection before its answer was complete.` };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
