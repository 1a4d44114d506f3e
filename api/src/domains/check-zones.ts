import type { HttpsCheck } from '@homeport/contract/apps/settings-schema';
import type { AppDns } from '@homeport/contract/domains/schema';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { DomainDeps } from './account.ts';
import { readDns } from './app-dns.ts';

/** Domains that are looked up for one check. Each costs up to three requests of the person's at Cloudflare. */
const domainsChecked = 20;

/**
 * What the person's own zones say of an app's domains, before a certificate is asked for. A zone knows a change at once, and DNS
 * only when the old answer has expired. Where Cloudflare does not answer, DNS alone is checked.
 */
export async function checkZones(
  deps: DomainDeps,
  owner: Owner,
  app: { id: string; domains: readonly string[] },
  signal: AbortSignal,
): Promise<HttpsCheck[]> {
  const checks: HttpsCheck[] = [];
  for (const domain of app.domains.slice(0, domainsChecked)) {
    try {
      const check = judgeZone(
        domain,
        await readDns(deps, owner, { kind: 'app', id: app.id }, domain, signal),
      );
      if (check) checks.push(check);
    } catch (error) {
      if (error instanceof ProblemError) return checks;
      throw error;
    }
  }
  return checks;
}

function judgeZone(domain: string, dns: AppDns): HttpsCheck | null {
  const told = (ok: boolean, text: string): HttpsCheck => ({ domain, check: 'in_zone', ok, text });
  switch (dns.kind) {
    case 'no_zone':
      return null;
    case 'missing':
      return told(false, `Your domain ${dns.zoneName} at Cloudflare has no record for it.`);
    case 'elsewhere':
    case 'read_only': {
      const [first] = dns.now;
      return told(
        false,
        first
          ? `At Cloudflare it leads to ${first.content}, not to this server.`
          : `Your domain ${dns.zoneName} at Cloudflare has no record for it.`,
      );
    }
    case 'in_place':
      return dns.now.some(({ proxied }) => proxied)
        ? told(
            false,
            'At Cloudflare its record is On Cloudflare, which may answer the authority in place of this server. Switch it to DNS Only until the certificate is there.',
          )
        : told(true, 'At Cloudflare its record leads to this server.');
  }
}
