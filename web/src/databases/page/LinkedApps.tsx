import { appState, appStateText } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import type { DatabaseLink } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Link } from '@tanstack/react-router';
import { useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge, Status } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import typography from '../../ui/text/typography.module.css';
import { isPromoted, linkedName } from '../links/link-texts.ts';
import type { DatabaseDialog } from './database-dialog.ts';
import type { DatabasePlace } from './database-place.ts';

export interface LinkedAppsProps {
  place: DatabasePlace;
  /** Why nothing can be changed now. */
  refusal: string | null;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The apps that read this database, each with the variable that holds its connection string. */
export function LinkedApps({ place: { database }, refusal, onOpen }: LinkedAppsProps) {
  const { links, type } = database;
  const apps = useApi('GET /api/apps').data;
  const columns: readonly Column<DatabaseLink>[] = [
    {
      key: 'app',
      head: 'App',
      card: 'full',
      cell: (link) => <LinkedApp link={link} app={apps?.find(({ id }) => id === link.appId)} />,
    },
    {
      key: 'variable',
      head: 'Reads it from',
      card: 'wide',
      cell: ({ variable }) =>
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
      cell: (link) => (
        <span className={layout.cellActions}>
          {isPromoted(type, link) === false && (
            <Button
              size="sm"
              variant="ghost"
              disabledReason={refusal}
              title={`Make it ${databaseTypeOf(type).variable}`}
              onClick={() => onOpen({ kind: 'promote', link })}
            >
              Promote<span className={layout.visuallyHidden}> in {linkedName(link)}</span>
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            disabledReason={refusal}
            onClick={() => onOpen({ kind: 'unlink', link })}
          >
            Unlink<span className={layout.visuallyHidden}> {linkedName(link)}</span>
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="Linked apps"
      body="flush"
      aside={<span className={classNames(typography.subtle, typography.small)}>{links.length}</span>}
      footer={links.length > 0 && 'A link sets the variable and, if you want, restarts the app.'}
    >
      {links.length === 0 ? (
        <NothingYet>No app reads it yet. A link gives an app the connection string.</NothingYet>
      ) : (
        <Table caption="Linked apps" columns={columns} rows={links} rowKey={(link) => link.appLongname} />
      )}
    </Panel>
  );
}

function LinkedApp({ link, app }: { link: DatabaseLink; app: App | undefined }) {
  if (!app)
    return (
      <span className={typography.twoLines}>
        <span className={typography.monospace}>{link.appLongname}</span>
        <small>Not known to Homeport</small>
      </span>
    );
  // Without reports, only what the server said of the app counts.
  const { kind } = appState(app, undefined, 0);
  return (
    <span className={classNames(layout.row, layout.wrap)}>
      <Link
        className={typography.name}
        to="/app/$server/$longname"
        params={{ server: app.serverKey, longname: app.longname }}
      >
        {app.name}
      </Link>
      {kind === 'paused' && <Status status="paused" />}
      {kind === 'crashed' && (
        <Badge tone="bad" icon="danger">
          {appStateText({ kind }, 0)}
        </Badge>
      )}
    </span>
  );
}
