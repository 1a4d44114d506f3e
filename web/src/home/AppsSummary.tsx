import { planOf } from '@homeport/contract/apps/plans';
import type { App } from '@homeport/contract/apps/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { AppStateLabel } from '../apps/AppStateLabel.tsx';
import { appPlanText } from '../apps/plan-text.ts';
import { type AppStates, useAppStates } from '../apps/use-app-states.ts';
import { problemText } from '../data/problem-text.ts';
import type { useApi } from '../data/use-api.ts';
import { Empty, Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';
import { type Column, Table } from '../ui/table/Table.tsx';
import { formatCount, formatPlanMemory } from '../ui/text/format.ts';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';

export interface AppsSummaryProps {
  apps: ReturnType<typeof useApi<'GET /api/apps'>>;
}

export function AppsSummary({ apps }: AppsSummaryProps) {
  const navigate = useNavigate();
  const states = useAppStates();
  const columns = useMemo(() => columnsWith(states), [states]);
  const count = apps.data?.length ?? 0;
  const all = <Link to="/apps">{count > appsAtMost ? `All ${formatCount(count)} apps` : 'All apps'}</Link>;
  return (
    <Panel
      title="Apps"
      body="flush"
      line={false}
      busy={apps.isPending}
      actions={<span className={typography.small}>{all}</span>}
    >
      {apps.isPending ? (
        <SkeletonRows />
      ) : !apps.data ? (
        <Failed title="Your apps could not be loaded" onRetry={() => apps.refetch()}>
          {problemText(apps.error)}
        </Failed>
      ) : apps.data.length === 0 ? (
        <Empty title="No apps yet" level={3}>
          An app is your code, pushed with git and run on one of your servers. New app makes one.
        </Empty>
      ) : (
        <Table
          caption="Apps"
          columns={columns}
          rows={newest(apps.data)}
          rowKey={({ id }) => id}
          sort={{ key: 'created', direction: 'descending' }}
          onOpen={({ serverKey, longname }) =>
            navigate({ to: '/app/$server/$longname', params: { server: serverKey, longname } })
          }
        />
      )}
    </Panel>
  );
}

/** The newest apps: the others are on their own page. */
const appsAtMost = 20;
const newest = (apps: readonly App[]) =>
  apps.length <= appsAtMost ? apps : apps.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, appsAtMost);

const columnsWith = ({ stateOf, now }: AppStates): readonly Column<App>[] => [
  {
    key: 'name',
    head: 'App',
    card: 'full',
    cell: ({ name, longname, serverKey }) => (
      <span className={typography.twoLines}>
        <Link
          className={typography.name}
          to="/app/$server/$longname"
          params={{ server: serverKey, longname }}
        >
          {name}
        </Link>
        <small>{longname}</small>
      </span>
    ),
    sortBy: ({ name }) => name,
  },
  {
    key: 'status',
    head: 'Status',
    cell: (app) => <AppStateLabel state={stateOf(app)} now={now} />,
  },
  {
    key: 'server',
    head: 'Server',
    cell: ({ serverKey, serverName }) => (
      <Link className={typography.quietLink} to="/server/$key" params={{ key: serverKey }}>
        {serverName}
      </Link>
    ),
  },
  {
    key: 'plan',
    head: 'Plan',
    card: 'low',
    cell: (app) =>
      app.plan === null ? appPlanText(app) : `${app.plan} (${formatPlanMemory(planOf(app.plan).memoryMb)})`,
  },
  {
    key: 'created',
    head: 'Created',
    card: 'low',
    cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
    sortBy: ({ createdAt }) => createdAt,
  },
];
