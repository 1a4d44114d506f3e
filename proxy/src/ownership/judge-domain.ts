import { servedThoughFailingMs } from '@homeport/contract/proxies/facts';
import type { ClaimedDomain } from '@homeport/store';
import type { DomainFinding } from './check-domain.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** While a person waits for DNS: soon at first, then less often. */
const waits = [5 * secondMs, 15 * secondMs, 30 * secondMs, minuteMs, 2 * minuteMs, 5 * minuteMs];
const patientMs = 10 * minuteMs;
const patientForMs = 48 * hourMs;
const allowedMs = hourMs;
const failingMs = 20 * minuteMs;

export type DomainVerdict = {
  allowed: boolean;
  failures: number;
  failingSince: number | null;
  dueAt: number;
};

/** Decides whether a domain is served after a check, and when the next check is due. `jitter` is from 0 to 1. */
export function judgeDomain(
  {
    allowed,
    createdAt,
    failures,
    failingSince,
  }: Pick<ClaimedDomain, 'allowed' | 'createdAt' | 'failures' | 'failingSince'>,
  { owned, pointing }: Pick<DomainFinding, 'owned' | 'pointing'>,
  now: number,
  jitter: number,
): DomainVerdict {
  const spread = 0.9 + jitter * 0.2;
  if (owned !== 'missing' && pointing === 'yes')
    return { allowed: true, failures: 0, failingSince: null, dueAt: now + allowedMs * spread };
  const since = failingSince ?? now;
  const failed = { failures: failures + 1, failingSince: since };
  if (allowed && now - since < servedThoughFailingMs)
    return { allowed: true, ...failed, dueAt: now + failingMs * spread };
  const isPatient = now - (allowed ? now : createdAt) < patientForMs;
  const wait = isPatient ? (waits[failures] ?? patientMs) : allowedMs;
  return { allowed: false, ...failed, dueAt: now + wait * spread };
}
