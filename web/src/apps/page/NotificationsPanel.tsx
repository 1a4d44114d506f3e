import { usageWarningPercent } from '@homeport/contract/limits';
import type { UptimeWithSeries } from '@homeport/contract/uptime/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { Button } from '../../ui/button/Button.tsx';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LinkButton } from '../../ui/feedback/Banner.tsx';
import { SkeletonRows } from '../../ui/feedback/States.tsx';
import skeletonStyles from '../../ui/feedback/skeleton.module.css';
import { useFocusAfter } from '../../ui/feedback/use-focus-after.ts';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import typography from '../../ui/text/typography.module.css';
import type { AppPlace } from '../on-server/app-place.ts';
import appPageStyles from './app-page.module.css';
import { Incidents } from './uptime/Incidents.tsx';
import { noMonitorReason } from './uptime/no-monitor.ts';
import { OnlineBadge } from './uptime/OnlineBadge.tsx';
import { useUptime } from './uptime/use-uptime.ts';

const AppByEmail = lazy(async () => ({ default: (await import('./AppByEmail.tsx')).AppByEmail }));
const SetUpMonitorDialog = lazy(async () => ({
  default: (await import('./uptime/SetUpMonitorDialog.tsx')).SetUpMonitorDialog,
}));
const StopWatchingDialog = lazy(async () => ({
  default: (await import('./uptime/StopWatchingDialog.tsx')).StopWatchingDialog,
}));

/** The news of this app that the user gets, and the channels. */
export function NotificationsPanel({ place }: { place: AppPlace }) {
  const { app, server } = place;
  const { uptime, error, refetch } = useUptime(app);
  const [dialog, setDialog] = useState<'set-up' | 'stop' | null>(null);
  const close = () => setDialog(null);
  return (
    <Panel
      id="notifications"
      title="Notifications"
      body="flush"
      busy={uptime === undefined && error === null}
      aside={<OnlineBadge uptime={uptime} />}
      actions={
        uptime ? (
          <Button size="sm" onClick={() => setDialog('stop')}>
            Stop watching
          </Button>
        ) : (
          // Whether the app is checked has to be known first.
          uptime === null && (
            <Button
              size="sm"
              icon="latency"
              disabledReason={noMonitorReason(place)}
              onClick={() => setDialog('set-up')}
            >
              Set up monitor
            </Button>
          )
        )
      }
    >
      <dl className={classNames(definitionsStyles.list, appPageStyles.facts)}>
        <dt>Watches</dt>
        <dd>
          {uptime === undefined && error ? (
            <NotRead error={error} onRetry={() => void refetch()} />
          ) : (
            <Watched uptime={uptime} />
          )}
        </dd>
        <dt>On this page</dt>
        <dd>Deploys, the console’s work and Online, as they happen.</dd>
        <dt>Of its server</dt>
        <dd>
          <Link to="/server/$key" params={{ key: server.key }} hash="notifications">
            CPU, RAM and disk over {usageWarningPercent} %, late reports of {server.name}
          </Link>
        </dd>
      </dl>
      {uptime && (
        <div className={appPageStyles.section}>
          <Incidents incidents={uptime.incidents} />
        </div>
      )}
      <Suspense fallback={<SkeletonRows rows={1} />}>
        <AppByEmail place={place} />
      </Suspense>
      <Suspense fallback={null}>
        {dialog === 'set-up' && <SetUpMonitorDialog app={app} onClose={close} />}
        {dialog === 'stop' && uptime && (
          <StopWatchingDialog app={app} domain={uptime.domain} onClose={close} />
        )}
      </Suspense>
    </Panel>
  );
}

function NotRead({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const line = useFocusAfter<HTMLSpanElement>();
  return (
    <span ref={line} role="alert">
      {problemText(error)} <LinkButton onClick={onRetry}>Try again</LinkButton>
    </span>
  );
}

function Watched({ uptime }: { uptime: UptimeWithSeries | null | undefined }) {
  if (uptime === undefined)
    return <span className={classNames(skeletonStyles.skeleton, skeletonStyles.short)} />;
  if (uptime === null)
    return <span className={typography.subtle}>Nothing: the app is not checked from outside</span>;
  return (
    <>
      <ExternalLink href={uptime.url}>{uptime.url}</ExternalLink>
      {uptime.state === 'paused' && <span className={typography.subtle}> (paused)</span>}
      {uptime.state === 'unknown' && uptime.latest?.text && (
        <p className={classNames(typography.extraSmall, typography.subtle)}>{uptime.latest.text}</p>
      )}
    </>
  );
}
