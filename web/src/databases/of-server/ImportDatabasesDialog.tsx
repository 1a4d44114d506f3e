import { databasesPerImport } from '@homeport/contract/databases/facts';
import type { FoundDatabase } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { callOnServer } from '../../connections/call-on-server.ts';
import { fieldProblem } from '../../data/api-problem.ts';
import { onServerKey } from '../../data/query-keys.ts';
import { useAct } from '../../data/use-api.ts';
import { ServerRead } from '../../on-server/ServerRead.tsx';
import { answerOf } from '../../on-server/server-answer.ts';
import { useConnect } from '../../on-server/use-connect.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ProblemBanner } from '../../shell/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Checkbox } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { foundDatabaseText, foundKey } from './found-database-text.ts';
import styles from './ImportDatabasesDialog.module.css';

/**
 * The databases of a server that Homeport does not know. None is chosen at first, because other people may have databases on
 * the server.
 */
export function ImportDatabasesDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const formId = useId();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    const databases = found
      .filter((each) => chosen.has(foundKey(each)))
      .map(({ type, longname }) => ({ type, longname }));
    if (databases.length > 0) start.mutate({ params, body: { databases } });
  };
  const refusal = fieldProblem(start.error, 'databases');
  const any = found.length > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Import databases of ${server.name}`}
      description="Homeport adds the chosen databases and their links to your list. Nothing on the server changes."
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            {any ? 'Cancel' : 'Close'}
          </Button>
          {any && (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={start.isPending}
              busyLabel="Importing"
            >
              {importLabel(chosen.size)}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={start.isPending} onSubmit={submit}>
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
      </form>
    </Dialog>
  );
}

const importLabel = (count: number) =>
  count === 0 ? 'Import' : count === 1 ? 'Import 1 database' : `Import ${count} databases`;

interface ChoiceProps {
  databases: readonly FoundDatabase[];
  chosen: ReadonlySet<string>;
  error: string | undefined;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function Choice({ databases, chosen, error, onChange }: ChoiceProps) {
  const errorId = useId();
  if (databases.length === 0) return <p>Homeport knows every database of this server already.</p>;
  // One import takes so many. The next one offers the others.
  const offered = databases.slice(0, databasesPerImport);
  const all = chosen.size === offered.length;
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <>
      <fieldset className={controlsStyles.field} aria-describedby={error ? errorId : undefined}>
        <legend className={controlsStyles.label}>Databases to import</legend>
        <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
          <span className={classNames(typography.small, typography.muted)} aria-live="polite">
            {chosen.size} of {offered.length} chosen
          </span>
          <Button size="sm" onClick={() => onChange(all ? new Set() : new Set(offered.map(foundKey)))}>
            {all ? 'Choose none' : 'Choose all'}
          </Button>
        </div>
        <div className={styles.databases}>
          {offered.map((database) => (
            <Checkbox
              key={foundKey(database)}
              name="databases"
              checked={chosen.has(foundKey(database))}
              aria-invalid={error ? true : undefined}
              onChange={() => toggle(foundKey(database))}
              label={
                <span className={typography.twoLines}>
                  <span className={typography.monospace}>{database.longname}</span>
                  <small>{foundDatabaseText(database)}</small>
                </span>
              }
            />
          ))}
        </div>
        {error && (
          <p className={controlsStyles.error} id={errorId} role="alert">
            {error}
          </p>
        )}
      </fieldset>
      {databases.length > offered.length && (
        <p className={classNames(typography.small, typography.muted)}>
          {(databases.length - offered.length).toLocaleString('en')} more databases are on the server. Import
          again for more of them.
        </p>
      )}
    </>
  );
}
