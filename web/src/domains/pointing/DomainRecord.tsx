import type { App } from '@homeport/contract/apps/schema';
import type { ReactNode } from 'react';
import { useAct } from '../../data/use-api.ts';
import { useOfferedRecord } from './OfferedRecord.tsx';

interface DomainRecord {
  /** What stands at the name now and what will; null: nothing to offer. */
  offer: ReactNode;
  busy: boolean;
  error: Error | null;
  /** Makes the record if the person wants it. Resolves with false when it was refused. */
  apply: () => Promise<boolean>;
}

/** Offers the DNS record of a domain that is being added to an app, and makes it. */
export function useDomainRecord(app: App, domain: string | null): DomainRecord {
  const { offer, decide } = useOfferedRecord({ kind: 'app', id: app.id, serverName: app.serverName }, domain);
  const point = useAct('POST /api/apps/:id/dns');
  const apply = async () => {
    const decision = decide();
    if (decision.kind === 'wait') return false;
    if (decision.kind === 'skip' || domain === null) return true;
    return point.mutateAsync({ params: { id: app.id }, body: { domain, seen: decision.seen } }).then(
      () => true,
      () => false,
    );
  };
  return { offer, busy: point.isPending, error: point.error, apply };
}
