import { createHash } from 'node:crypto';
import { type CloudflareStandIn, startCloudflareStandIn } from '@homeport/stand-ins/cloudflare';
import { demoToken } from './stand-in-report.ts';

/**
 * Starts a stand-in for Cloudflare with three domains on a loopback port; 0: a free one. It keeps nothing: each start has the same
 * records again. The ids stay the same, so that a linked account finds its domains again.
 */
export async function startDemoCloudflare(port: number): Promise<CloudflareStandIn> {
  const standIn = await startCloudflareStandIn({ port });
  const idOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 32);
  const zone = standIn.addZone('northquay.example', { id: idOf('northquay.example') });
  standIn.addZone('harbour.example', { id: idOf('harbour.example'), status: 'pending' });
  standIn.addZone('mirror.example', { id: idOf('mirror.example'), type: 'secondary' });
  const add = (type: string, name: string, content: string, more: { ttl?: number; proxied?: boolean } = {}) =>
    standIn.addRecord(zone, { type, name, content, ...more });
  add('A', 'ledger', '203.0.113.24', { proxied: true });
  add('A', 'www', '203.0.113.24', { proxied: true });
  add('CNAME', 'api', 'ledger.northquay.example', { proxied: true });
  add('A', 'mail', '203.0.113.24', { ttl: 3_600 });
  add('TXT', '@', 'v=spf1 include:_spf.example.com -all');
  add('CNAME', 'status', 'status-pages.example', { ttl: 86_400 });
  standIn.grant({ secret: demoToken, zones: 'all' });
  return standIn;
}
