import type { App } from '@homeport/contract/apps/schema';
import { type UptimePeriod, uptimePeriods } from '@homeport/contract/uptime/facts';
import type { UptimeBars as BarsOfPeriod } from '@homeport/contract/uptime/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../../data/api-query.ts';
import { problemText } from '../../../data/problem-text.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { Segments } from '../../../ui/form/Segments.tsx';
import { formatPercent } from '../../../ui/text/format.ts';
import styles from './UptimeBars.module.css';
import { barLook, saidOf, shareUp, spoken } from './uptime-bars.ts';

const looks = { up: styles.up, partly: styles.partly, down: styles.down, none: styles.none };
const labels: Record<UptimePeriod, string> = { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' };
const periods = uptimePeriods.map((value) => ({ value, label: labels[value] }));

/** One bar for each step of a period: up, down for a part of it, or not checked. */
export function UptimeBars({ app }: { app: Pick<App, 'monitorId'> }) {
  const [period, setPeriod] = useState<UptimePeriod>('24h');
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /monitor/uptime/:monitorId/bars', {
      params: { monitorId: app.monitorId },
      query: { period },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={styles.strip} aria-busy={(!data && !error) || undefined}>
      {data && <Bars data={data} />}
      {!data && !error && <div className={styles.bars} />}
      {data && <span className={styles.share}>{formatPercent(shareUp(data), 1)}</span>}
      {!data && error && (
        <>
          <span className={styles.failed}>{problemText(error)}</span>
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      )}
      <Segments legend="Period of the bars" value={period} options={periods} onChange={setPeriod} />
    </div>
  );
}

function Bars({ data }: { data: BarsOfPeriod }) {
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${data.bars.length} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={spoken(data)}
    >
      {data.bars.map((bar, index) => {
        const at = data.from + index * data.stepMs;
        const { kind, height } = barLook(bar);
        return (
          <rect
            key={at}
            className={looks[kind]}
            x={index + 0.15}
            y={10 - height * 10}
            width={0.7}
            height={height * 10}
          >
            <title>{saidOf(bar, at, data.stepMs)}</title>
          </rect>
        );
      })}
    </svg>
  );
}
