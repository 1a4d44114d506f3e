import { lacksDokku } from '@homeport/contract/servers/platform';
import type { Server } from '@homeport/contract/servers/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { AppStateLabel } from '../../../apps/AppStateLabel.tsx';
import { appPlanText } from '../../../apps/plan-text.ts';
import { type AppStates, useAppStates } from '../../../apps/use-app-states.ts';
import { problemText } from '../../../data/problem-text.ts';
import { useApi } from '../../../data/use-api.ts';
import { useConnect } from '../../../on-server/use-connect.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { ButtonLink } from '../../../ui/button/ButtonLink.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { Badge } from '../../../ui/feedback/Status.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import panelStyles from '../../../ui/layout/panel.module.css';
import { type Column, Table } from '../../../ui/table/Table.tsx';
import { useFirstRows } from '../../../ui/table/use-first-rows.tsx';
import typography from '../../../ui/text/typography.module.css';
import { noImportReason } from '../availability.ts';
import styles from './ServerApps.module.css';
import { type ServerAppRow, serverAppRows } from './server-app-rows.ts';
import { useServerApps } from './use-server-apps.ts';

const loadImport = () => import('./ImportDialog.tsx');
const ImportDialog = lazy(async () => ({ default: (await loadImport()).ImportDialog }));

const columnsWith = ({ stateOf, now }: AppStates): readonly Column<ServerAppRow>[] => [
  {
    key: 'name',
    head: 'App',
    card: 'full',
    cell: ({ app, longname }) =>
      app ? (
        <Link
          to="/app/$server/$longname"
          params={{ server: app.serverKey, longname: app.longname }}
          className={typography.name}
        >
          {app.name}
        </Link>
      ) : (
        <span className={typography.monospace}>{longname}</span>
      ),
  },
  {
    key: 'plan',
    head: 'Plan',
    cell: ({ app }) => <span className={typography.muted}>{app ? appPlanText(app) : 'Made elsewhere'}</span>,
  },
  {
    key: 'status',
    head: 'Status',
    align: 'end',
    card: 'right',
    cell: ({ app, gone }) =>
      gone ? (
        <Badge tone="warn">Not on the server</Badge>
      ) : app ? (
        <AppStateLabel state={stateOf(app)} now={now} />
      ) : (
        <Badge icon="info">Not imported</Badge>
      ),
  },
];

/**
 * The server’s apps: those in Homeport's records and, while connected, all others on the server.
 * `noAppsReason`: why the server accepts no new app now.
 */
export function ServerApps({ server, noAppsReason }: { server: Server; noAppsReason: string | null }) {
  const apps = useApi('GET /api/apps');
  const navigate = useNavigate();
  const states = useAppStates();
  const columns = useMemo(() => columnsWith(states), [states]);
  const { onServer, failed, connected } = useServerApps(server);
  const [importing, setImporting] = useState(false);
  const connect = useConnect(server, () => setImporting(true));
  const ours = apps.data?.filter((app) => app.serverId === server.id);
  const here = ours && serverAppRows(ours, onServer);
  const nothingToImport = onServer?.every(({ longname }) => ours?.some((app) => app.longname === longname));
  const { shown, more } = useFirstRows(here ?? [], 10);
  return (
    <Panel
      id="apps"
      title="Apps"
      body="flush"
      busy={apps.isPending}
      className={styles.apps}
      aside={
        here &&
        here.length > 0 && (
          <span className={classNames(typography.subtle, typography.small)}>{here.length}</span>
        )
      }
      actions={
        <>
          {here?.length !== 0 && (
            <Link to="/apps" className={typography.small}>
              All applications
            </Link>
          )}
          {(server.simulated || server.credential === null || !lacksDokku(server)) && (
            <Button
              size="sm"
              icon="import"
              busy={connect.busy}
              busyLabel="Connecting"
              disabledReason={
                noImportReason(server) ??
                (nothingToImport ? 'Homeport knows every app of this server already.' : null)
              }
              onPointerEnter={loadImport}
              onFocus={loadImport}
              onClick={() => (connected ? setImporting(true) : connect.run())}
            >
              Import apps
            </Button>
          )}
        </>
      }
      footer={
        (failed || more) && (
          <>
            {more}
            {failed && 'The server did not list its apps. Apps that were made elsewhere are missing here.'}
          </>
        )
      }
    >
      {apps.isPending && <SkeletonRows rows={1} />}
      {apps.isError && !here && (
        <Failed title="The apps could not be loaded" onRetry={() => void apps.refetch()}>
          {problemText(apps.error)}
        </Failed>
      )}
      {here?.length === 0 && (
        <>
          <NothingYet>
            No apps on this server yet.{noAppsReason && !server.simulated && ` ${noAppsReason}`}
          </NothingYet>
          {noAppsReason === null && (
            <p className={classNames(panelStyles.nothing, styles.first)}>
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
          rows={shown}
          rowKey={({ longname }) => longname}
          density="compact"
          cards={false}
          onOpen={({ app }) =>
            app &&
            void navigate({
              to: '/app/$server/$longname',
              params: { server: app.serverKey, longname: app.longname },
            })
          }
        />
      )}
      {importing && (
        <Suspense fallback={null}>
          <ImportDialog server={server} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
