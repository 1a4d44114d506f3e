import { newDomain } from '@homeport/contract/fields/domain-name';
import { nameProblem } from '@homeport/contract/fields/facts';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { CreateProxy } from '@homeport/contract/proxies/schema';

/** The form as typed. */
export interface ProxyDraft {
  name: string;
  domain: string;
  subdomain: string;
  source: string;
}
export type ProxyField = keyof ProxyDraft;
export type ProxyProblems = Partial<Record<ProxyField, string>>;

export const emptyProxy: ProxyDraft = { name: '', domain: '', subdomain: '', source: '' };

type Reading = { ok: true; body: CreateProxy } | { ok: false; problems: ProxyProblems };

/** The name that visitors will open; empty while there is no domain. */
export function wholeDomain({ domain, subdomain }: Pick<ProxyDraft, 'domain' | 'subdomain'>): string {
  const zone = newDomain(domain) ?? '';
  const labels = subdomain.trim().replace(/\.$/, '').toLowerCase();
  return zone === '' || labels === '' ? zone : `${labels}.${zone}`;
}

/** Finds faults before the page calls the console. The console's answer names all other faults. */
export function readProxy(draft: ProxyDraft): Reading {
  const problems: ProxyProblems = {};
  const name = draft.name.trim();
  const domain = newDomain(draft.domain);
  const subdomain = draft.subdomain.trim().replace(/\.$/, '');
  const source = draft.source.trim();
  const wrongName = name === '' ? null : nameProblem(name);
  if (wrongName !== null) problems.name = wrongName;
  if (domain === null)
    problems.domain =
      draft.domain.trim() === ''
        ? 'Enter a domain.'
        : 'Enter a domain such as example.com, without https://.';
  if (source === '') problems.source = 'Enter the address of your website.';
  else if (source.length > proxyLimits.targetLength)
    problems.source = `Use at most ${proxyLimits.targetLength} characters.`;
  if (domain === null || Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    body: {
      domain,
      source,
      ...(name === '' ? {} : { name }),
      ...(subdomain === '' ? {} : { subdomain }),
    },
  };
}
