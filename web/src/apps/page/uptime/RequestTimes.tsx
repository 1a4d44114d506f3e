import { refreshEveryMs } from '@homeport/contract/limits';
import type { UptimeWithSeries } from '@homeport/contract/uptime/schema';
import { lazy, Suspense, useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { ButtonLink } from '../../../ui/button/ButtonLink.tsx';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { useCrosshair, useHorizon } from '../../../ui/chart/ChartGroup.tsx';
import chartStyles from '../../../ui/chart/chart.module.css';
import type { ChartData } from '../../../ui/chart/chart-types.ts';
import figuresStyles from '../../../ui/chart/figures.module.css';
import { classNames } from '../../../ui/class-names.ts';
import { Fact } from '../../../ui/layout/Fact.tsx';
import layout from '../../../ui/layout/layout.module.css';
import panelStyles from '../../../ui/layout/panel.module.css';
import { Icon } from '../../../ui/picture/Icon.tsx';
import { formatDate, formatLatency, formatPercent, noData } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { noMonitorReason } from './no-monitor.ts';
import { UptimeBars } from './UptimeBars.tsx';
import { requestTimes, totalAt } from './uptime-series.ts';
import { useUptime } from './use-uptime.ts';

const SetUpMonitorDialog = lazy(async () => ({
  default: (await import('./SetUpMonitorDialog.tsx')).SetUpMonitorDialog,
}));

/** How long the app takes to answer, by phase, measured from outside. Must stand inside a ChartGroup. */
export function RequestTimes({ place }: { place: AppPlace }) {
  const { app } = place;
  const [horizon] = useHorizon('request-times');
  const { uptime, error, refetch } = useUptime(app);
  const [settingUp, setSettingUp] = useState(false);
  return (
    <>
      <Chart
        id="request-times"
        title="Request Times"
        total={uptime && <Total timeseries={uptime.timeseries} />}
        format={(value) => formatLatency(value)}
        latestEveryMs={uptime?.everyMs ?? refreshEveryMs}
        stack
        measured={uptime?.latest?.ok && <Checked latest={uptime.latest} />}
        data={dataOf()}
        large={
          uptime && (
            <ButtonLink
              to="/app/$server/$longname/chart/$measure"
              params={{ server: app.serverKey, longname: app.longname, measure: 'answer-time' }}
              {...{ variant: 'ghost', size: 'sm', icon: 'search', iconOnly: true }}
              aria-label="Request Times over any range"
              title="Request Times over any range"
            />
          )
        }
        emptyHint={uptime ? whyEmpty(uptime) : <Offer />}
      >
        {uptime && <UptimeBars app={app} />}
        {uptime && <Figures uptime={uptime} />}
      </Chart>
      {settingUp && (
        <Suspense fallback={null}>
          <SetUpMonitorDialog app={app} onClose={() => setSettingUp(false)} />
        </Suspense>
      )}
    </>
  );

  function dataOf(): ChartData {
    if (uptime) return requestTimes(uptime.timeseries, horizon);
    if (uptime === null) return { state: 'empty' };
    if (!error) return { state: 'loading' };
    return { state: 'failed', reason: problemText(error), onRetry: () => void refetch() };
  }

  function Offer() {
    const refusal = noMonitorReason(place);
    return (
      <span className={classNames(layout.stack, layout.gap3)}>
        <span>{refusal ?? 'Nobody checks this app from outside yet.'}</span>
        {!refusal && (
          <span>
            <Button size="sm" icon="latency" onClick={() => setSettingUp(true)}>
              Set up monitor
            </Button>
          </span>
        )}
      </span>
    );
  }
}

const whyEmpty = ({ latest }: UptimeWithSeries) =>
  latest ? 'No check of this period found the app up.' : 'The first check runs within a minute.';

function Total({ timeseries }: { timeseries: UptimeWithSeries['timeseries'] }) {
  const [horizon] = useHorizon('request-times');
  const [at] = useCrosshair(horizon);
  const total = totalAt(timeseries, horizon, at);
  return (
    <span className={chartStyles.unit}>{total === null ? noData : `total ${formatLatency(total)}`}</span>
  );
}

function Figures({ uptime }: { uptime: UptimeWithSeries }) {
  const { latest, availability } = uptime;
  return (
    <>
      <dl className={figuresStyles.figures}>
        <Fact name="Last 24 hours">
          {formatPercent(availability.day, 1)} <small>up</small>
        </Fact>
        <Fact name="Last 30 days">
          {formatPercent(availability.month, 1)} <small>up</small>
        </Fact>
        <Fact name="Answer">
          {latest?.status ?? <span className={typography.subtle}>{noData}</span>}
          {latest !== null && latest.redirects > 0 && (
            <>
              {' '}
              <small>
                after {latest.redirects} {latest.redirects === 1 ? 'redirect' : 'redirects'}
              </small>
            </>
          )}
        </Fact>
        <Fact name="Certificate">
          <Certificate uptime={uptime} />
        </Fact>
      </dl>
      {!latest?.ok && (
        <p className={classNames(panelStyles.foot, typography.extraSmall)}>
          {latest?.text && <span className={typography.danger}>{latest.text}</span>}
          {latest && !latest.text && (
            <span>
              <Checked latest={latest} />
            </span>
          )}
          {!latest && <span>Not checked yet</span>}
        </p>
      )}
    </>
  );
}

function Checked({ latest: { at, address } }: { latest: NonNullable<UptimeWithSeries['latest']> }) {
  return (
    <>
      Checked <Time at={at} />
      {address && ` at ${address}`}
    </>
  );
}

function Certificate({ uptime: { latest, url } }: { uptime: UptimeWithSeries }) {
  if (!url.startsWith('https:')) return <span className={typography.subtle}>None, over http</span>;
  const certificate = latest?.certificate;
  if (!certificate) return <span className={typography.subtle}>{noData}</span>;
  const until = `until ${formatDate(certificate.validTo)}`;
  if (!certificate.nameMatches || certificate.refusedFor || certificate.mark !== null)
    return (
      <span className={classNames(layout.row, layout.gap2)}>
        <Icon name="warning" size={16} />
        <span title={certificate.refusedFor ?? undefined}>
          {certificate.nameMatches ? until : 'for another name'}
        </span>
      </span>
    );
  return <span title={certificate.issuer}>{until}</span>;
}
