import type { App } from '@homeport/contract/apps/schema';
import type { ReactNode } from 'react';
import type { FleetLine } from '../servers/use-fleet.ts';
import { Skeleton } from '../ui/feedback/States.tsx';
import figureRow from '../ui/layout/figure-row.module.css';
import { bytesParts, formatCount, formatRate, noData } from '../ui/text/format.ts';
import { totalsOf } from './totals.ts';

export interface TotalsRowProps {
  lines: readonly FleetLine[] | undefined;
  apps: readonly Pick<App, 'plan'>[] | undefined;
  statsFailed: boolean;
}

export function TotalsRow({ lines, apps, statsFailed }: TotalsRowProps) {
  const totals = totalsOf(lines ?? [], apps ?? []);
  // A server with a known status has had its stats read, even if there were none.
  const measured = lines?.every(({ status }) => status !== null) ? lines : undefined;
  const measuredReady = measured !== undefined || statsFailed;
  const partly = totals.reporting > 0 && totals.reporting < totals.servers;
  const from = partly ? `from ${totals.reporting} of ${totals.servers} servers` : undefined;
  return (
    <dl className={figureRow.figures}>
      <Total name="Servers" ready={lines !== undefined} value={formatCount(totals.servers)} />
      <Total name="Apps" ready={apps !== undefined} value={formatCount(totals.apps)} />
      <Total name="RAM" ready={measuredReady} value={bytes(totals.ram)} note={from} />
      <Total
        name="CPUs"
        ready={measuredReady}
        value={totals.cpus === null ? null : formatCount(totals.cpus)}
        note={from}
      />
      <Total
        name="Transfer"
        ready={apps !== undefined}
        value={
          <>
            {formatCount(totals.allowanceGb)} <small>GB a month</small>
          </>
        }
        note={totals.transfer === null ? undefined : `${formatRate(totals.transfer)} now`}
      />
    </dl>
  );
}

function bytes(value: number | null): ReactNode {
  if (value === null) return null;
  const { amount, unit } = bytesParts(value);
  return (
    <>
      {amount} <small>{unit}</small>
    </>
  );
}

interface TotalProps {
  name: string;
  ready: boolean;
  value: ReactNode;
  note?: string | undefined;
}

function Total({ name, ready, value, note }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      {!ready ? (
        <dd>
          <Skeleton width="3rem" />
        </dd>
      ) : (
        <dd className={value === null ? figureRow.unknown : undefined}>{value ?? noData}</dd>
      )}
      {ready && note && <dd className={figureRow.note}>{note}</dd>}
    </div>
  );
}
