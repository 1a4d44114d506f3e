import type { App } from '@homeport/contract/apps/schema';
import type { AppDns } from '@homeport/contract/domains/schema';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

interface DomainRecord {
  /** What stands at the name now and what will; null: nothing to offer. */
  offer: ReactNode;
  busy: boolean;
  error: Error | null;
  /** Makes the record if the person wants it. Resolves with false when it was refused. */
  apply: () => Promise<boolean>;
}

/** Offers the DNS record of a domain that is being added to an app. Only a domain in a linked zone is looked up. */
export function useDomainRecord(app: App, domain: string | null): DomainRecord {
  const linked = useApi('GET /api/zones');
  const zones = linked.data?.zones ?? [];
  const known = domain !== null && zones.some(({ name }) => domain === name || domain.endsWith(`.${name}`));
  const dns = useQuery({
    ...apiQuery('GET /api/apps/:id/dns', { params: { id: app.id }, query: { domain: domain ?? '' } }),
    enabled: known,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const [choice, setChoice] = useState<boolean | null>(null);
  // A submit that came before the answers: the person must see what would be done first.
  const [early, setEarly] = useState(false);
  const point = useAct('POST /api/apps/:id/dns');
  const change = known ? changeOf(dns.data) : null;
  const wanted = choice ?? wantedAtFirst(dns.data);
  const waiting = domain !== null && (linked.isPending || (known && dns.isPending));
  // What was read before is still offered: its records are compared again before any is changed.
  const failure = (linked.data ? null : linked.error) ?? (known && !dns.data ? dns.error : null);
  const apply = async () => {
    const next = nextOfSubmit({ waiting, change: change !== null, wanted });
    if (next === 'wait') {
      setEarly(true);
      return false;
    }
    if (next === 'skip' || domain === null || !change) return true;
    const body = { domain, seen: change.now.map(({ id }) => id) };
    return point.mutateAsync({ params: { id: app.id }, body }).then(
      () => true,
      () => false,
    );
  };
  return {
    offer: waiting ? (
      early && (
        <p role="status" className={typography.small}>
          The DNS records of this name are still being read. Add the domain again in a moment.
        </p>
      )
    ) : failure ? (
      <p className={typography.small}>
        The DNS records of this name could not be read, so none is made: {problemText(failure)}
      </p>
    ) : (
      known && dns.data && <Offer app={app} dns={dns.data} wanted={wanted} onChange={setChoice} />
    ),
    busy: point.isPending,
    error: point.error,
    apply,
  };
}

interface Submitted {
  /** The zones, or the records of the name, are still being read. */
  waiting: boolean;
  /** There is a record to make or to change. */
  change: boolean;
  wanted: boolean;
}

/** What a submit does about the record. `wait`: the person has not seen yet what would be done, so neither domain nor record is added. */
export function nextOfSubmit({ waiting, change, wanted }: Submitted): 'wait' | 'skip' | 'make' {
  if (waiting) return 'wait';
  return change && wanted ? 'make' : 'skip';
}

/** A name that serves another site goes on to do so unless the person chooses otherwise. */
export const wantedAtFirst = (dns: Pick<AppDns, 'kind'> | undefined): boolean => dns?.kind === 'missing';

const changeOf = (dns: AppDns | undefined) =>
  dns?.kind === 'missing' || dns?.kind === 'elsewhere' ? dns : null;

interface OfferProps {
  app: App;
  dns: AppDns;
  wanted: boolean;
  onChange: (wanted: boolean) => void;
}

function Offer({ app, dns, wanted, onChange }: OfferProps) {
  switch (dns.kind) {
    case 'no_zone':
      return null;
    case 'in_place':
      return <p className={typography.small}>Its record at Cloudflare leads to {app.serverName} already.</p>;
    case 'read_only':
      return (
        <p className={typography.small}>
          The records of {dns.zoneName} cannot be changed here. Point the name at {app.serverName} where its
          records come from.
        </p>
      );
    case 'missing':
      return (
        <Checkbox
          checked={wanted}
          onChange={(event) => onChange(event.currentTarget.checked)}
          label={
            <>
              Add the record at Cloudflare:{' '}
              <span className={typography.monospace}>
                {recordTypeTo(dns.address)} {dns.address}
              </span>
              , DNS Only. Nothing stands at this name now.
            </>
          }
        />
      );
    case 'elsewhere':
      return (
        <div className={layout.stack}>
          <p className={typography.small}>
            At Cloudflare this name leads elsewhere now:{' '}
            <span className={typography.monospace}>
              {dns.now.map(({ type, content }) => `${type} ${content}`).join(', ')}
            </span>
          </p>
          <Checkbox
            checked={wanted}
            onChange={(event) => onChange(event.currentTarget.checked)}
            label={
              <>
                Update it to{' '}
                <span className={typography.monospace}>
                  {recordTypeTo(dns.address)} {dns.address}
                </span>
                , {app.serverName}
              </>
            }
          />
        </div>
      );
  }
}
