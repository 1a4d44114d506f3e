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

/** Checks the domains that are due, several at once. Any number of processes may do so. Resolves when they are checked. */
export async function checkDueDomains(checking: DomainChecking): Promise<void> {
  await Promise.all(await beginDueChecks(checking, atOnce));
}

async function beginDueChecks(checking: DomainChecking, atMost: number): Promise<Promise<void>[]> {
  const now = checking.clock();
  const claimed = await claimDomains(checking.store.pool, { now, endsAt: now + claimMs, atMost });
  return claimed.map((domain) => checkOne(domain, checking));
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

/**
 * Checks domains regularly, as long as the store is reached. A check takes up to 20 s where a name server does not answer, and no other
 * domain waits for its end.
 */
export function startDomainChecks(deps: {
  store(): Store | null;
  parts: DomainCheckParts;
  clock(): number;
  report(error: unknown, what: string): void;
}): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>();
  const failed = (error: unknown) => deps.report(error, 'checking domains');
  let isStopped = false;

  async function beginDue(): Promise<void> {
    do {
      if (running.size === atOnce) await Promise.race(running);
      const store = deps.store();
      if (store === null || isStopped) return;
      for (const check of await beginDueChecks({ ...deps, store }, atOnce - running.size)) {
        const ended = check.catch(failed).finally(() => running.delete(ended));
        running.add(ended);
      }
      // With room left, no further domain is due.
    } while (running.size === atOnce);
  }

  const turns = repeatWork('domains', beginDue, failed);
  return {
    async stop() {
      isStopped = true;
      await turns.stop();
      await Promise.all(running);
    },
  };
}
