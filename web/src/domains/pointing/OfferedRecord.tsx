import type { AppDns } from '@homeport/contract/domains/schema';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

const longMono = classNames(typography.monospace, typography.longWords);

/** What the domain is to lead to: an app, or a server for an app that is not there yet. */
interface PointedSite {
  kind: 'app' | 'server';
  id: string;
  serverName: string;
}

interface OfferedRecord {
  /** What stands at the name now and what will; null: nothing to offer. */
  offer: ReactNode;
  /** Known to lead elsewhere, also after a submit. */
  strays: boolean;
  /** What a submit does about the record. */
  decide: () => Decision;
}

type Decision = { kind: 'wait' } | { kind: 'skip' } | { kind: 'make'; seen: string[] };

/** A name that is typed is looked up at Cloudflare once it has stayed the same for this long. */
const restMs = 400;

/** Offers the DNS record of a domain that an app is to get. Only a domain in a linked zone is looked up. */
export function useOfferedRecord(site: PointedSite | null, domain: string | null): OfferedRecord {
  const linked = useApi('GET /api/zones');
  const zones = linked.data?.zones ?? [];
  const known =
    site !== null &&
    domain !== null &&
    zones.some(({ name }) => domain === name || domain.endsWith(`.${name}`));
  const rested = useRested(domain);
  const route = site?.kind === 'app' ? 'GET /api/apps/:id/dns' : 'GET /api/servers/:id/dns';
  const dns = useQuery<AppDns>({
    ...apiQuery(route, { params: { id: site?.id ?? '' }, query: { domain: domain ?? '' } }),
    enabled: known && rested,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const [choice, setChoice] = useState<{ domain: string | null; wanted: boolean } | null>(null);
  // A submit that came before the answers: the person must see what would be done first.
  const [early, setEarly] = useState(false);
  const change = known ? changeOf(dns.data) : null;
  const wanted = choice?.domain === domain ? choice.wanted : wantedAtFirst(dns.data);
  const waiting = domain !== null && (linked.isPending || (known && dns.isPending));
  // What was read before is still offered: its records are compared again before any is changed.
  const failure = (linked.data ? null : linked.error) ?? (known && !dns.data ? dns.error : null);
  return {
    offer: waiting ? (
      early && (
        <p role="status" className={typography.small}>
          The DNS records of this name are still being read. Try again in a moment.
        </p>
      )
    ) : failure ? (
      <p className={typography.small}>
        The DNS records of this name could not be read, so none is made: {problemText(failure)}
      </p>
    ) : (
      known &&
      dns.data && (
        <Offer
          serverName={site.serverName}
          dns={dns.data}
          wanted={wanted}
          onChange={(chosen) => setChoice({ domain, wanted: chosen })}
        />
      )
    ),
    strays: !waiting && known && dns.data !== undefined && straysAfter(dns.data, wanted),
    decide: () => {
      const next = nextOfSubmit({ waiting, change: change !== null, wanted });
      if (next === 'wait') setEarly(true);
      if (next === 'make' && change) return { kind: 'make', seen: change.now.map(({ id }) => id) };
      return { kind: next === 'wait' ? 'wait' : 'skip' };
    },
  };
}

/** Whether the value has stayed the same for a moment. The first one has. */
function useRested(value: string | null): boolean {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested === value;
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

/** Whether the name leads elsewhere once the wanted record is made. */
export const straysAfter = ({ kind }: Pick<AppDns, 'kind'>, wanted: boolean): boolean =>
  kind === 'read_only' || (kind !== 'in_place' && kind !== 'no_zone' && !wanted);

/** A name that serves another site goes on to do so unless the person chooses otherwise. */
export const wantedAtFirst = (dns: Pick<AppDns, 'kind'> | undefined): boolean => dns?.kind === 'missing';

const changeOf = (dns: AppDns | undefined) =>
  dns?.kind === 'missing' || dns?.kind === 'elsewhere' ? dns : null;

interface OfferProps {
  serverName: string;
  dns: AppDns;
  wanted: boolean;
  onChange: (wanted: boolean) => void;
}

function Offer({ serverName, dns, wanted, onChange }: OfferProps) {
  switch (dns.kind) {
    case 'no_zone':
      return null;
    case 'in_place':
      return <p className={typography.small}>Its record at Cloudflare leads to {serverName} already.</p>;
    case 'read_only':
      return (
        <p className={typography.small}>
          The records of {dns.zoneName} cannot be changed here. Point the name at {serverName} where its
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
              <span className={longMono}>
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
            <span className={longMono}>
              {dns.now.map(({ type, content }) => `${type} ${content}`).join(', ')}
            </span>
          </p>
          <Checkbox
            checked={wanted}
            onChange={(event) => onChange(event.currentTarget.checked)}
            label={
              <>
                Update it to{' '}
                <span className={longMono}>
                  {recordTypeTo(dns.address)} {dns.address}
                </span>
                , {serverName}
              </>
            }
          />
        </div>
      );
  }
}
