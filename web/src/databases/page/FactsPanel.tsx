import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Link } from '@tanstack/react-router';
import { appsUser } from '../../on-server/server-accounts.ts';
import { CopyValue } from '../../ui/button/CodeLine.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatBytes } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import type { DatabasePlace } from './database-place.ts';

/** What the database is and what it takes on its server. */
export function FactsPanel({ place: { database, server } }: { place: DatabasePlace }) {
  const { type, imageVersion, memoryBytes, dataBytes, longname, createdAt, imported } = database;
  const open = (text: string) => <span className={typography.subtle}>{text}</span>;
  return (
    <Panel title="About">
      <dl className={definitionsStyles.list}>
        <dt>Type</dt>
        <dd>{databaseTypeOf(type).title}</dd>
        <dt>Version</dt>
        <dd>{imageVersion ?? open('Not read yet')}</dd>
        <dt>Server</dt>
        <dd>
          <Link to="/server/$key" params={{ key: server.key }}>
            {server.name}
          </Link>
        </dd>
        <dt>Database id</dt>
        <dd>
          <CopyValue text={longname} what="database id" />
        </dd>
        <dt>Data on disk</dt>
        <dd>{dataBytes === null ? open('Not measured') : formatBytes(dataBytes)}</dd>
        <dt>Memory</dt>
        <dd>{memoryBytes === null ? open('No limit known') : `At most ${formatBytes(memoryBytes)}`}</dd>
        <dt>{imported ? 'Imported' : 'Created'}</dt>
        <dd>
          <Time at={createdAt} as="datetime" />
        </dd>
        <dt>Actions run as</dt>
        <dd>
          <span className={typography.monospace}>{appsUser(server)}</span>
        </dd>
      </dl>
    </Panel>
  );
}
