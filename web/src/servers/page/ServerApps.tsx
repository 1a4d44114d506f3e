import type { App } from '@homeport/contract/apps';
import { planOf } from '@homeport/contract/plans';
import type { Server } from '@homeport/contract/servers';
import { Link, useNavigate } from '@tanstack/react-router';
import { problemText } from '../../data/api-problem.ts';
import { useApi } from '../../data/use-api.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { formatPlanMemory } from '../../ui/format.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Failed, NothingYet, SkeletonRows } from '../../ui/States.tsx';
import { Status } from '../../ui/Status.tsx';
import { type Column, Table } from '../../ui/Table.tsx';

const columns: readonly Column<App>[] = [
  {
    key: 'name',
    head: 'App',
    card: 'full',
    cell: (app) => (
      <Link
        to="/app/$server/$longname"
        params={{ server: app.serverKey, longname: app.longname }}
        className="name"
      >
        {app.name}
      </Link>
    ),
  },
  {
    key: 'plan',
    head: 'Plan',
    cell: (app) => (
      <span className="muted">
        Plan {app.plan}, {formatPlanMemory(planOf(app.plan).memoryMb)}
      </span>
    ),
  },
  {
    key: 'status',
    head: 'Status',
    align: 'end',
    card: 'right',
    cell: (app) => <Status status={app.stopped ? 'paused' : 'running'} />,
  },
];

/** The apps that Homeport knows on this server. `noAppsReason`: why it takes none now. */
export function ServerApps({ server, noAppsReason }: { server: Server; noAppsReason: string | null }) {
  const apps = useApi('GET /api/apps');
  const navigate = useNavigate();
  const here = apps.data?.filter((app) => app.serverId === server.id);
  return (
    <Panel
      id="apps"
      title="Apps"
      body="flush"
      busy={apps.isPending}
      className="serverapps"
      aside={here && here.length > 0 && <span className="subtle sm">{here.length}</span>}
      actions={
        <Link to="/apps" className="sm">
          All applications
        </Link>
      }
    >
      {apps.isPending && <SkeletonRows />}
      {apps.isError && !here && (
        <Failed title="The apps could not be loaded" onRetry={() => void apps.refetch()}>
          {problemText(apps.error)}
        </Failed>
      )}
      {here?.length === 0 && (
        <>
          <NothingYet>No apps on this server yet.{noAppsReason && ` ${noAppsReason}`}</NothingYet>
          {noAppsReason === null && (
            <p className="nothing first">
              <ButtonLink to="/apps/new" search={{ server: server.key }} size="sm" icon="plus">
                Create an app here
              </ButtonLink>
            </p>
          )}
        </>
      )}
      {here && here.length > 0 && (
        <Table
          caption={`Apps on ${server.name}`}
          columns={columns}
          rows={here}
          rowKey={(app) => app.id}
          density="compact"
          cards={false}
          onOpen={(app) =>
            void navigate({
              to: '/app/$server/$longname',
              params: { server: app.serverKey, longname: app.longname },
            })
          }
        />
      )}
    </Panel>
  );
}
