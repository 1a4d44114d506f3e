import type { App } from '@homeport/contract/apps/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import typography from '../../ui/text/typography.module.css';
import { DatabaseStatus } from '../DatabaseStatus.tsx';
import { isPromoted } from '../links/link-texts.ts';
import { useDatabaseStatuses } from '../use-database-statuses.ts';
import type { AppDatabaseDialog } from './app-database-dialog.ts';
import { databasesOfApp, type LinkedDatabase } from './databases-of-app.ts';

const loadDialogs = () => import('./AppDatabaseDialogs.tsx');
const AppDatabaseDialogs = lazy(async () => ({ default: (await loadDialogs()).AppDatabaseDialogs }));

interface Refusals {
  change: string | null;
  unlink: string | null;
}

export interface AppDatabasesProps {
  app: App;
  /** Why nothing can be changed now, and why no link can be taken away. */
  refusals: Refusals;
}

/** The databases that an app reads, each with its variable. */
export function AppDatabases({ app, refusals }: AppDatabasesProps) {
  const databases = useApi('GET /api/databases');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<AppDatabaseDialog | null>(null);
  const columns = useColumns(refusals, setDialog);
  const linked = databases.data && databasesOfApp(app, databases.data);
  const onServer = databases.data?.some(({ serverId }) => serverId === app.serverId);
  return (
    <Panel
      id="databases"
      title="Databases"
      body="flush"
      busy={databases.isPending}
      aside={
        linked && <span className={classNames(typography.subtle, typography.small)}>{linked.length}</span>
      }
      actions={
        onServer ? (
          <Button
            size="sm"
            icon="link"
            disabledReason={refusals.change}
            onPointerEnter={loadDialogs}
            onFocus={loadDialogs}
            onClick={() => setDialog({ kind: 'link' })}
          >
            Link a database
          </Button>
        ) : (
          <ButtonLink size="sm" icon="plus" to="/databases/new" search={{ server: app.serverKey }}>
            New database
          </ButtonLink>
        )
      }
    >
      {databases.isPending && <SkeletonRows rows={1} />}
      {databases.isError && !linked && (
        <Failed title="The databases could not be loaded" onRetry={() => void databases.refetch()}>
          {problemText(databases.error)}
        </Failed>
      )}
      {linked?.length === 0 && (
        <NothingYet>
          This app reads no database that Homeport knows. A link puts the connection string of one into a
          variable.
        </NothingYet>
      )}
      {linked && linked.length > 0 && (
        <Table
          caption={`Databases of ${app.name}`}
          columns={columns}
          rows={linked}
          rowKey={({ database }) => database.id}
          onOpen={({ database: { longname, id } }) =>
            void navigate({ to: '/databases/$longname', params: { longname }, search: { id } })
          }
        />
      )}
      {dialog && (
        <Suspense fallback={null}>
          <AppDatabaseDialogs dialog={dialog} app={app} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </Panel>
  );
}

function useColumns(
  refusals: Refusals,
  onOpen: (dialog: AppDatabaseDialog) => void,
): readonly Column<LinkedDatabase>[] {
  const statusOf = useDatabaseStatuses();
  return [
    {
      key: 'name',
      head: <>Database</>,
      cell: ({ database: { id, name, longname, type } }) => (
        <span className={typography.twoLines}>
          <Link className={typography.name} to="/databases/$longname" params={{ longname }} search={{ id }}>
            {name}
          </Link>
          <small>{databaseTypeOf(type).title}</small>
        </span>
      ),
    },
    {
      key: 'status',
      head: <>Status</>,
      card: 'right',
      cell: ({ database }) => <DatabaseStatus status={statusOf(database)} />,
    },
    {
      key: 'variable',
      head: 'Read from',
      card: 'wide',
      cell: ({ link: { variable } }) =>
        variable === null ? (
          <span className={typography.subtle}>Not read yet</span>
        ) : (
          <code className={typography.monospace}>{variable}</code>
        ),
    },
    {
      key: 'acts',
      head: null,
      label: 'Actions',
      card: 'actions',
      cell: ({ database, link }) => (
        <span className={layout.cellActions}>
          {isPromoted(database.type, link) === false && (
            <Button
              size="sm"
              variant="ghost"
              disabledReason={refusals.change}
              onClick={() => onOpen({ kind: 'promote', database, link })}
            >
              Promote<span className={layout.visuallyHidden}> {database.name}</span>
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            disabledReason={refusals.unlink}
            onClick={() => onOpen({ kind: 'unlink', database, link })}
          >
            Unlink<span className={layout.visuallyHidden}> {database.name}</span>
          </Button>
        </span>
      ),
    },
  ];
}
