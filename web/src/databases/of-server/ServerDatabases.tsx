import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { serverStatsEveryMs } from '@homeport/contract/limits';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useConnectionState } from '../../connections/connection-state.ts';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { useConnect } from '../../on-server/use-connect.ts';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { formatBytes, noData } from '../../ui/text/format.ts';
import { pageLocale } from '../../ui/text/locale.ts';
import typography from '../../ui/text/typography.module.css';
import { DatabaseStatus } from '../DatabaseStatus.tsx';
import { type StatusOf, useDatabaseStatuses } from '../use-database-statuses.ts';
import styles from './ServerDatabases.module.css';

const loadImport = () => import('./ImportDatabasesDialog.tsx');
const ImportDatabasesDialog = lazy(async () => ({ default: (await loadImport()).ImportDatabasesDialog }));

const columnsWith = (
  statusOf: StatusOf,
  memoryOf: ReadonlyMap<string, number | null>,
): readonly Column<Database>[] => [
  {
    key: 'name',
    head: 'Database',
    card: 'full',
    cell: ({ id, name, longname }) => (
      <Link to="/databases/$longname" params={{ longname }} search={{ id }} className={typography.name}>
        {name}
      </Link>
    ),
  },
  {
    key: 'type',
    head: 'Type',
    cell: ({ type }) => <span className={typography.muted}>{databaseTypeOf(type).title}</span>,
  },
  {
    key: 'memory',
    head: 'Memory',
    align: 'end',
    cell: ({ id, memoryBytes }) => {
      const used = memoryOf.get(id) ?? null;
      if (used === null && memoryBytes === null) return <span className={typography.subtle}>{noData}</span>;
      const most = memoryBytes === null ? '' : ` of ${formatBytes(memoryBytes)}`;
      return used === null ? `at most ${formatBytes(memoryBytes)}` : `${formatBytes(used)}${most}`;
    },
  },
  {
    key: 'status',
    head: 'Status',
    align: 'end',
    card: 'right',
    cell: (database) => <DatabaseStatus status={statusOf(database)} />,
  },
];

export interface ServerDatabasesProps {
  server: Server;
  /** Why the server takes no new database now. null when it takes one. */
  noNewReason: string | null;
  /** Why its databases cannot be imported. null when they can. */
  noImportReason: string | null;
}

/** The server's databases in Homeport's records, and the import of the others. */
export function ServerDatabases({ server, noNewReason, noImportReason }: ServerDatabasesProps) {
  const databases = useApi('GET /api/databases');
  const navigate = useNavigate();
  const statusOf = useDatabaseStatuses();
  const used = useQuery({ ...apiQuery('GET /monitor/databases'), refetchInterval: serverStatsEveryMs }).data;
  const columns = useMemo(
    () => columnsWith(statusOf, new Map(used?.map(({ id, MEM }) => [id, MEM]))),
    [statusOf, used],
  );
  const connected = useConnectionState(server)?.kind === 'connected';
  const [importing, setImporting] = useState(false);
  const connect = useConnect(server, () => setImporting(true));
  const here = databases.data
    ?.filter(({ serverId }) => serverId === server.id)
    .toSorted((a, b) => a.name.localeCompare(b.name, pageLocale));
  const { shown, more } = useFirstRows(here ?? [], 10);
  return (
    <Panel
      id="databases"
      title="Databases"
      body="flush"
      busy={databases.isPending}
      className={styles.databases}
      aside={
        here &&
        here.length > 0 && (
          <span className={classNames(typography.subtle, typography.small)}>{here.length}</span>
        )
      }
      actions={
        <>
          {here?.length !== 0 && (
            <Link to="/databases" className={typography.small}>
              All databases
            </Link>
          )}
          {(server.simulated || server.credential === null || server.setup === 'ready') && (
            <Button
              size="sm"
              icon="import"
              busy={connect.busy}
              busyLabel="Connecting"
              disabledReason={noImportReason}
              onPointerEnter={loadImport}
              onFocus={loadImport}
              onClick={() => (connected ? setImporting(true) : connect.run())}
            >
              Import databases
            </Button>
          )}
        </>
      }
      footer={more}
    >
      {databases.isPending && <SkeletonRows rows={1} />}
      {databases.isError && !here && (
        <Failed title="The databases could not be loaded" onRetry={() => void databases.refetch()}>
          {problemText(databases.error)}
        </Failed>
      )}
      {here?.length === 0 && (
        <>
          <NothingYet>
            No databases on this server yet.{noNewReason && !server.simulated && ` ${noNewReason}`}
          </NothingYet>
          {noNewReason === null && (
            <p className={classNames(panelStyles.nothing, styles.first)}>
              <ButtonLink to="/databases/new" search={{ server: server.key }} size="sm" icon="plus">
                Create a database here
              </ButtonLink>
            </p>
          )}
        </>
      )}
      {here && here.length > 0 && (
        <Table
          caption={`Databases on ${server.name}`}
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
          density="compact"
          cards={false}
          onOpen={({ longname, id }) =>
            void navigate({ to: '/databases/$longname', params: { longname }, search: { id } })
          }
        />
      )}
      {importing && (
        <Suspense fallback={null}>
          <ImportDatabasesDialog server={server} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
