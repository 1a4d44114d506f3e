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
/** Whose name servers do not answer holds no more than a few of these at once. */
const atOnceOfOwner = 5;
const claimMs = 60_000;

export type DomainChecking = { store: Store; parts: DomainCheckParts; clock(): number };

/** Begins the checks of domains that are due, several at once. Any number of processes may do so. */
export async function beginDueChecks(
  checking: DomainChecking,
  { atMost = atOnce, busy = [] }: { atMost?: number; busy?: readonly string[] } = {},
): Promise<{ ownerId: string; ended: Promise<void> }[]> {
  const now = checking.clock();
  const claimed = await claimDomains(checking.store.pool, {
    ...{ now, endsAt: now + claimMs },
    ...{ atMost, ofOwner: atOnceOfOwner, busy },
  });
  return claimed.map((domain) => ({ ownerId: domain.ownerId, ended: checkOne(domain, checking) }));
}

async function checkOne(claimed: ClaimedDomain, { store, parts, clock }: DomainChecking): Promise<void> {
  const { id, checkVersion, domain } = claimed;
  const finding = await checkDomain(claimed, parts);
  const isProven = finding.owned !== 'missing';
  const holds =
    claimed.holds ||
    (isProven && (await takeName(store.pool, { id, domain, by: finding.owned, now: clock() })));
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
  const running = new Map<Promise<void>, string>();
  const failed = (error: unknown) => deps.report(error, 'checking domains');

  async function beginDue(): Promise<void> {
    const store = deps.store();
    if (store === null || running.size === atOnce) return;
    const room = { atMost: atOnce - running.size, busy: busyOwners(running) };
    for (const { ownerId, ended } of await beginDueChecks({ ...deps, store }, room)) {
      const settled: Promise<void> = ended.catch(failed).finally(() => running.delete(settled));
      running.set(settled, ownerId);
    }
  }

  const turns = repeatWork('domains', beginDue, failed);
  return {
    async stop() {
      await turns.stop();
      await Promise.all(running.keys());
    },
  };
}

function busyOwners(running: ReadonlyMap<unknown, string>): string[] {
  const counts = new Map<string, number>();
  for (const owner of running.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= atOnceOfOwner).map(([owner]) => owner);
}
