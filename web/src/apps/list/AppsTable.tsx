import type { AppStateKind } from '@homeport/contract/apps/health';
import { planOf } from '@homeport/contract/apps/plans';
import type { App } from '@homeport/contract/apps/schema';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { ButtonExternalLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge, Chip, Status } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { formatPlanMemory } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { AppStateLabel } from '../AppStateLabel.tsx';
import { appTroubles } from '../app-troubles.ts';
import { openUrl } from '../open-url.ts';
import { appPlanText } from '../plan-text.ts';
import type { AppStates } from '../use-app-states.ts';
import { AppMenu } from './AppMenu.tsx';

/** The states that say why an app does not answer. */
const saysWhy: ReadonlySet<AppStateKind> = new Set(['crashed', 'missing']);

const addressOf = (app: App) => ({ server: app.serverKey, longname: app.longname });

const columns = (
  onExplain: (app: App) => void,
  offline: ReadonlySet<string>,
  checks: ReadonlyMap<string, Uptime>,
  { stateOf, now }: AppStates,
): Column<App>[] => [
  {
    key: 'name',
    // An element, not text, because a card shows the name and the status without a label.
    head: <>App</>,
    sortBy: (app) => app.name,
    cell: (app) => <Name app={app} />,
  },
  {
    key: 'status',
    head: <>Status</>,
    card: 'right',
    cell: (app) => (
      // A running app that does not answer is marked offline. An app that answers gets no extra mark.
      <span className={classNames(layout.row, layout.wrap)}>
        {offline.has(app.id) && !saysWhy.has(stateOf(app).kind) ? (
          <Status status="offline" />
        ) : (
          <AppStateLabel state={stateOf(app)} now={now} />
        )}
        {appTroubles(app, stateOf(app), checks.get(app.id), now)
          .filter(({ kind }) => kind === 'deploy' || kind === 'certificate')
          .map(({ kind, band, label, detail }) => (
            <span key={kind} title={detail}>
              <Badge tone={band === 'danger' ? 'bad' : 'warn'}>
                {label}
                <span className={layout.visuallyHidden}>: {detail}</span>
              </Badge>
            </span>
          ))}
      </span>
    ),
  },
  {
    key: 'server',
    head: 'Server',
    cell: (app) => <Place serverKey={app.serverKey} name={app.serverName} />,
  },
  { key: 'domain', head: 'Domain', card: 'wide', cell: (app) => <Domain domains={app.domains} /> },
  {
    key: 'plan',
    head: 'Plan',
    cell: (app) => (
      <span className={typography.nowrap}>
        {app.plan === null ? (
          <span className={typography.subtle}>{appPlanText(app)}</span>
        ) : (
          <>
            Plan {app.plan}
            <span className={typography.subtle}>, {formatPlanMemory(planOf(app.plan).memoryMb)}</span>
          </>
        )}
      </span>
    ),
  },
  {
    key: 'created',
    head: 'Created',
    card: 'low',
    sortBy: (app) => app.createdAt,
    cell: (app) => (
      <span className={classNames(typography.nowrap, typography.muted)}>
        <Time at={app.createdAt} as="date" />
      </span>
    ),
  },
  {
    key: 'actions',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: (app) => <Actions app={app} onExplain={onExplain} />,
  },
];

export interface AppsTableProps {
  apps: readonly App[];
  /** The ids of the apps that do not answer. */
  offline: ReadonlySet<string>;
  /** The checks from outside, by app. */
  checks: ReadonlyMap<string, Uptime>;
  onExplain: (app: App) => void;
  states: AppStates;
}

export const AppsTable = memo(function AppsTable({
  apps,
  states,
  offline,
  checks,
  onExplain,
}: AppsTableProps) {
  const navigate = useNavigate();
  const described = useMemo(
    () => columns(onExplain, offline, checks, states),
    [onExplain, offline, checks, states],
  );
  return (
    <Table
      caption="Apps"
      columns={described}
      rows={apps}
      rowKey={(app) => app.id}
      sort={{ key: 'name', direction: 'ascending' }}
      onOpen={(app) => void navigate({ to: '/app/$server/$longname', params: addressOf(app) })}
    />
  );
});

// Cells with links and menus make a row slow to draw. `memo` skips rows that stay the same.
const Name = memo(function Name({ app }: { app: App }) {
  return (
    <span className={typography.twoLines}>
      <Link className={typography.name} to="/app/$server/$longname" params={addressOf(app)}>
        {app.name}
      </Link>
      <small className={typography.monospace}>{app.longname}</small>
    </span>
  );
});

const Place = memo(function Place({ serverKey, name }: { serverKey: string; name: string }) {
  return (
    <Link className={typography.quietLink} to="/server/$key" params={{ key: serverKey }}>
      {name}
    </Link>
  );
});

function Domain({ domains }: { domains: readonly string[] }) {
  const [first, ...more] = domains;
  if (first === undefined) return <span className={typography.subtle}>None yet</span>;
  return (
    <span className={layout.row}>
      <span className={typography.truncated}>{first}</span>
      {more.length > 0 && (
        <span title={more.join(', ')}>
          <Chip>+{more.length}</Chip>
        </span>
      )}
    </span>
  );
}

const Actions = memo(function Actions({ app, onExplain }: { app: App; onExplain: (app: App) => void }) {
  const url = openUrl(app);
  return (
    <span className={layout.cellActions}>
      {url && (
        <ButtonExternalLink
          variant="ghost"
          iconOnly
          size="sm"
          icon="external"
          href={url}
          title={`Open ${app.name}`}
        >
          <span className={layout.visuallyHidden}>Open {app.name}</span>
        </ButtonExternalLink>
      )}
      <AppMenu app={app} onExplain={() => onExplain(app)} />
    </span>
  );
});
