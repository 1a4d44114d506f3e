import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Link } from '@tanstack/react-router';
import { appsUser } from '../../on-server/server-accounts.ts';
import { CopyValue } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Fact } from '../../ui/layout/Fact.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatBytes } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { portPair } from '../exposure-text.ts';
import type { DatabasePlace } from './database-place.ts';

/** What the database is and what it takes on its server. */
export function FactsPanel({ place: { database, server } }: { place: DatabasePlace }) {
  const { type, imageVersion, memoryBytes, dataBytes, longname, createdAt, imported } = database;
  const open = (text: string) => <span className={typography.subtle}>{text}</span>;
  return (
    <Panel title="About">
      <dl className={classNames(definitionsStyles.grid, definitionsStyles.three)}>
        <Fact name="Type">{databaseTypeOf(type).title}</Fact>
        <Fact name="Version">{imageVersion ?? open('Not read yet')}</Fact>
        <Fact name="Server">
          <Link to="/server/$key" params={{ key: server.key }}>
            {server.name}
          </Link>
        </Fact>
        <Fact name="Database id">
          <CopyValue text={longname} what="database id" />
        </Fact>
        <Fact name="Data on disk">{dataBytes === null ? open('Not measured') : formatBytes(dataBytes)}</Fact>
        <Fact name="Memory">
          {memoryBytes === null ? open('No limit known') : `At most ${formatBytes(memoryBytes)}`}
        </Fact>
        <Fact name={imported ? 'Imported' : 'Created'}>
          <Time at={createdAt} as="datetime" />
        </Fact>
        <Fact name="Ports">
          <Ports database={database} />
        </Fact>
        <Fact name="Actions run as">
          <span className={typography.monospace}>{appsUser(server)}</span>
        </Fact>
      </dl>
    </Panel>
  );
}

/** The ports inside the server, or where those of the server lead. */
function Ports({ database: { ports, type } }: { database: Database }) {
  if (ports.length === 0)
    return (
      <span className={typography.monospace}>
        {databaseTypeOf(type)
          .ports.map(({ number }) => number)
          .join(', ')}
      </span>
    );
  return (
    <ul className={typography.monospace}>
      {ports.map((port) => (
        <li key={port.containerPort}>{portPair(port)}</li>
      ))}
    </ul>
  );
}
