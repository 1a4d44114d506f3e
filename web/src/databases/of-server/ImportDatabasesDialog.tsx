import { databasesPerImport } from '@homeport/contract/databases/facts';
import type { FoundDatabase } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOnServer } from '../../connections/call-on-server.ts';
import { fieldProblem } from '../../data/problem-text.ts';
import { onServerKey } from '../../data/query-keys.ts';
import { useAct } from '../../data/use-api.ts';
import { ImportChoice } from '../../import-frame/ImportChoice.tsx';
import { ImportFrame } from '../../import-frame/ImportFrame.tsx';
import { ServerRead } from '../../on-server/ServerRead.tsx';
import { answerOf } from '../../on-server/server-answer.ts';
import { useConnect } from '../../on-server/use-connect.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { classNames } from '../../ui/class-names.ts';
import typography from '../../ui/text/typography.module.css';
import { foundDatabaseText, foundKey } from './found-database-text.ts';

/** The databases of a server that Homeport does not know. */
export function ImportDatabasesDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const client = useQueryClient();
  const params = { id: server.id };
  const look = useQuery({
    queryKey: onServerKey('GET /api/servers/:id/found-databases', server.id),
    queryFn: ({ signal }) =>
      callOnServer(client, 'GET /api/servers/:id/found-databases', { params }, { quiet: true, signal }),
    refetchInterval: false,
    // Somebody may have made another database meanwhile.
    gcTime: 0,
  });
  const connect = useConnect(server, look.refetch);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const start = useAct('POST /api/servers/:id/import-databases', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const found = look.data ?? [];
  const submit = () => {
    setSent(true);
    const databases = found
      .filter((each) => chosen.has(foundKey(each)))
      .map(({ type, longname }) => ({ type, longname }));
    if (databases.length > 0) start.mutate({ params, body: { databases } });
  };
  const refusal = fieldProblem(start.error, 'databases');
  return (
    <ImportFrame
      title={`Import databases of ${server.name}`}
      description="Homeport adds the chosen databases and their links to your list. Nothing on the server changes."
      noun="database"
      chosenCount={chosen.size}
      anyFound={found.length > 0}
      importing={start.isPending}
      onImport={submit}
      onClose={onClose}
    >
      {start.error && !refusal && <ProblemBanner error={start.error}>Nothing was imported.</ProblemBanner>}
      <ServerRead state={answerOf(look, 'connected')} connect={connect} what="its databases">
        {(databases) => (
          <Choice
            databases={databases}
            chosen={chosen}
            error={sent && chosen.size === 0 ? 'Choose at least one database.' : refusal}
            onChange={setChosen}
          />
        )}
      </ServerRead>
    </ImportFrame>
  );
}

interface ChoiceProps {
  databases: readonly FoundDatabase[];
  chosen: ReadonlySet<string>;
  error: string | undefined;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function Choice({ databases, ...choice }: ChoiceProps) {
  if (databases.length === 0) return <p>Homeport knows every database of this server already.</p>;
  // One import takes so many. The next one offers the others.
  const offered = databases.slice(0, databasesPerImport);
  const labels = offered.map(
    (database) => [foundKey(database), <Label key="label" database={database} />] as const,
  );
  return (
    <>
      <ImportChoice legend="Databases to import" name="databases" offered={new Map(labels)} {...choice} />
      {databases.length > offered.length && (
        <p className={classNames(typography.small, typography.muted)}>
          {(databases.length - offered.length).toLocaleString('en')} more databases are on the server. Import
          again for more of them.
        </p>
      )}
    </>
  );
}

const Label = ({ database }: { database: FoundDatabase }) => (
  <span className={typography.twoLines}>
    <span className={typography.monospace}>{database.longname}</span>
    <small>{foundDatabaseText(database)}</small>
  </span>
);
