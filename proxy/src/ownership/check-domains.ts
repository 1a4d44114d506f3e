import {
  type ClaimedDomain,
  claimDomains,
  keepDomainCheck,
  repeatWork,
  type Store,
  takeName,
} from '@homeport/store';
import { checkDomain, type DomainCheckParts } from './check-domain.ts';
import { judgeDomain } from './judge-domain.ts';

const atOnce = 20;
const claimMs = 60_000;

export type DomainChecking = { store: Store; parts: DomainCheckParts; clock(): number };

/** Checks the domains that are due, several at once. Any number of processes may do so. Resolves with how many were due. */
export async function checkDueDomains({ store, parts, clock }: DomainChecking): Promise<number> {
  const now = clock();
  const claimed = await claimDomains(store.pool, { now, endsAt: now + claimMs, atMost: atOnce });
  await Promise.all(claimed.map((domain) => checkOne(domain, { store, parts, clock })));
  return claimed.length;
}

async function checkOne(claimed: ClaimedDomain, { store, parts, clock }: DomainChecking): Promise<void> {
  const { id, checkVersion, domain } = claimed;
  const finding = await checkDomain(claimed, parts);
  const isProven = finding.owned !== 'missing';
  const holds = claimed.holds || (isProven && (await takeName(store.pool, { id, domain, now: clock() })));
  const now = clock();
  const verdict = judgeDomain(claimed, finding, now, Math.random());
  const outcome = { ...verdict, dueAt: Math.round(verdict.dueAt), allowed: verdict.allowed && holds };
  // A front that orders certificates on demand has one only for a domain that is served.
  const certificate = outcome.allowed ? await parts.readCertificate(domain) : null;
  await keepDomainCheck(store.pool, {
    id,
    checkVersion,
    checkedAt: now,
    certificate,
    ...finding,
    ...outcome,
  });
}

/** Checks domains regularly, as long as the store is reached. */
export function startDomainChecks(deps: {
  store(): Store | null;
  parts: DomainCheckParts;
  clock(): number;
  report(error: unknown, what: string): void;
}): { stop(): Promise<void> } {
  return repeatWork(
    'domains',
    async () => {
      const store = deps.store();
      if (store === null) return;
      while ((await checkDueDomains({ ...deps, store })) === atOnce);
    },
    (error) => deps.report(error, 'checking domains'),
  );
}
