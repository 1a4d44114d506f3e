import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { certificateMark } from '@homeport/contract/uptime/facts';
import type { UptimeCertificate } from '@homeport/contract/uptime/schema';

/** The facts of a certificate that do not depend on the time of the check. */
type Facts = Pick<UptimeCertificate, 'issuer' | 'validFrom' | 'validTo' | 'nameMatches'>;

/** Facts by fingerprint and host. A server shows the same certificate each minute, and reading it costs a tenth of a check. */
const known = new Map<string, Facts>();
const knownAtMost = 10_000;

/** The certificate that a server showed, judged for the requested host. Null when the server showed none. */
export function judgeCertificate(socket: TLSSocket, host: string, now: number): UptimeCertificate | null {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return null;
  const fingerprint = certificate.fingerprint256;
  const key = `${fingerprint} ${host}`;
  const facts = known.get(key) ?? readFacts(certificate, host);
  if (known.size >= knownAtMost) known.clear();
  known.set(key, facts);
  return {
    ...facts,
    fingerprint,
    refusedFor: refusalOf(socket, facts.nameMatches),
    mark: certificateMark(facts.validTo, now),
  };
}

/**
 * Node turns the whole chain into objects for `checkServerIdentity` (`onConnectSecure` in lib/_tls_wrap.js), which is a quarter
 * of a handshake's cost. Our `checkServerIdentity` reads none of these objects.
 */
export function withoutConversion(socket: TLSSocket): TLSSocket {
  socket.getPeerCertificate = () => noCertificate;
  return socket;
}

const noCertificate = {} as DetailedPeerCertificate;

function readFacts(certificate: X509Certificate, host: string): Facts {
  return {
    issuer: shortName(certificate.issuer),
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    nameMatches: isMadeOutFor(certificate, host),
  };
}

/** Says in a sentence why a certificate was refused. */
export function describeRefusal(
  { refusedFor, validFrom, validTo, issuer }: UptimeCertificate,
  host: string,
): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  switch (refusedFor) {
    case 'CERT_HAS_EXPIRED':
      return `The certificate ended on ${day(validTo)}.`;
    case 'CERT_NOT_YET_VALID':
      return `The certificate is valid from ${day(validFrom)} on.`;
    case nameMismatch:
      return `The certificate does not cover ${host}.`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `No authority that browsers trust signed the certificate (${issuer}).`;
    default:
      return `The certificate is not trusted (${refusedFor}).`;
  }
}

/** Node's code for a certificate with another name. */
const nameMismatch = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** As in browsers, only the names in the extension count (RFC 9525, 6.3). */
function isMadeOutFor(certificate: X509Certificate, host: string): boolean {
  return isIP(host) === 0
    ? certificate.checkHost(host, { subject: 'never' }) !== undefined
    : certificate.checkIP(host) !== undefined;
}

function refusalOf(socket: TLSSocket, nameMatches: boolean): string | null {
  // The types call it an Error, but the value is an error's code (node:tls, `tlsSocket.authorizationError`).
  if (!socket.authorized) return String(socket.authorizationError);
  return nameMatches ? null : nameMismatch;
}

/** The organisation and the name of a distinguished name, which has a line for each part. */
function shortName(distinguishedName: string): string {
  const parts = new Map(
    distinguishedName.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  const words = [parts.get('O'), parts.get('CN')].filter((part) => part !== undefined);
  const name = (words.join(', ') || distinguishedName.replaceAll('\n', ', ')).slice(0, 200);
  // A copy: V8 keeps the whole text for a part of it, and a name may have 90 kB.
  return Buffer.from(name).toString();
}
