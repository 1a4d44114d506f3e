import { type UptimePhase, uptimePhases } from '@homeport/contract/uptime/facts';

/** The columns of `series.check_…` (`0004_uptime.sql`). */
export const phaseColumns: Readonly<Record<UptimePhase, string>> = {
  dnsLookup: 'dns_lookup',
  tcpConnection: 'tcp_connection',
  tlsHandshake: 'tls_handshake',
  firstByte: 'first_byte',
  contentTransfer: 'content_transfer',
  total: 'total',
};

/** One piece of SQL for each phase, with commas between. */
export function eachPhase(write: (column: string, phase: UptimePhase) => string): string {
  return uptimePhases.map((phase) => write(phaseColumns[phase], phase)).join(', ');
}
