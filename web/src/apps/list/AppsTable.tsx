import type { App } from '@homeport/contract/apps';
import { planOf } from '@homeport/contract/plans';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { ButtonExternalLink } from '../ui/ButtonLink.tsx';
import { formatPlanMemory } from '../ui/format.ts';
import { Chip, Status } from '../ui/Status.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Time } from '../ui/Time.tsx';
import { AppMenu } from './AppMenu.tsx';
import { AppState } from './AppState.tsx';
import { appStatus, openUrl } from './app-status.ts';

const addressOf = (app: App) => ({ server: app.serverKey, longname: app.longname });

const columns = (onExplain: (app: App) => void, offline: ReadonlySet<string>): Column<App>[] => [
  {
    key: 'name',
    // An element, not text: a card shows the name and the status without a label.
    head: <>App</>,
    sortBy: (app) => app.name,
    cell: (app) => <Name app={app} />,
  },
  {
    key: 'status',
    head: <>Status</>,
    card: 'right',
    cell: (app) =>
      // A running app that answers nobody is what one looks for; that the others answer goes without saying.
      offline.has(app.id) ? <Status status="offline" /> : <AppState status={appStatus(app)} />,
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
      <span className="nowrap">
        Plan {app.plan}
        <span className="subtle">, {formatPlanMemory(planOf(app.plan).memoryMb)}</span>
      </span>
    ),
  },
  {
    key: 'created',
    head: 'Created',
    card: 'low',
    sortBy: (app) => app.createdAt,
    cell: (app) => (
      <span className="nowrap muted">
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
  /** The ids of those that answer nobody. */
  offline: ReadonlySet<string>;
  onExplain: (app: App) => void;
}

export const AppsTable = memo(function AppsTable({ apps, offline, onExplain }: AppsTableProps) {
  const navigate = useNavigate();
  const described = useMemo(() => columns(onExplain, offline), [onExplain, offline]);
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

// Cells with links and menus are what makes a row dear: a row that stays the same is not drawn again.
const Name = memo(function Name({ app }: { app: App }) {
  return (
    <span className="two">
      <Link className="name" to="/app/$server/$longname" params={addressOf(app)}>
        {app.name}
      </Link>
      <small className="mono">{app.longname}</small>
    </span>
  );
});

const Place = memo(function Place({ serverKey, name }: { serverKey: string; name: string }) {
  return (
    <Link className="quiet" to="/server/$key" params={{ key: serverKey }}>
      {name}
    </Link>
  );
});

function Domain({ domains }: { domains: readonly string[] }) {
  const [first, ...more] = domains;
  if (first === undefined) return <span className="subtle">None yet</span>;
  return (
    <span className="row">
      <span className="trunc">{first}</span>
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
    <span className="acts-cell">
      {url && (
        <ButtonExternalLink
          className="icon"
          variant="ghost"
          size="sm"
          icon="external"
          href={url}
          title={`Open ${app.name}`}
        >
          <span className="sr">Open {app.name}</span>
        </ButtonExternalLink>
      )}
      <AppMenu app={app} onExplain={() => onExplain(app)} />
    </span>
  );
});
