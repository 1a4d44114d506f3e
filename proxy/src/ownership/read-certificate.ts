import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Gate } from '@homeport/egress';
import type { DomainCertificate } from '@homeport/store';

const withinMs = 5_000;

/**
 * Asks a domain for its certificate as a visitor's browser does. Whether the certificate is trusted is not asked here: its days tell
 * whether the front renews it. Only addresses that the gate allows are dialled.
 */
export function readCertificate(
  gate: Gate,
  port = 443,
): (domain: string) => Promise<DomainCertificate | null> {
  return (domain) =>
    new Promise((resolve) => {
      let socket: TLSSocket;
      try {
        socket = gate.connectTls(
          { host: domain, port },
          { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] },
        );
      } catch {
        // The gate refuses the console's own name.
        return resolve(null);
      }
      const settle = (found: DomainCertificate | null) => {
        clearTimeout(timer);
        socket.destroy();
        resolve(found);
      };
      const timer = setTimeout(() => settle(null), withinMs);
      socket.once('secureConnect', () => settle(factsOf(socket.getPeerX509Certificate())));
      socket.on('error', () => settle(null));
      socket.once('close', () => settle(null));
    });
}

function factsOf(certificate: X509Certificate | undefined): DomainCertificate | null {
  if (certificate === undefined) return null;
  const [validFrom, validTo] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (Number.isNaN(validFrom) || Number.isNaN(validTo)) return null;
  return { fingerprint: certificate.fingerprint256.replaceAll(':', ''), validFrom, validTo };
}
