import type { Dumps } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { accessTo, answerOf, type OnServer } from '../../../on-server/server-answer.ts';
import { type Connect, useConnect } from '../../../on-server/use-connect.ts';
import { useSeen } from '../../../on-server/use-seen.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { ButtonLink } from '../../../ui/button/ButtonLink.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { Panel, PanelPart } from '../../../ui/layout/Panel.tsx';
import { formatBytes } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import type { DatabaseDialog } from '../database-dialog.ts';
import type { DatabasePlace } from '../database-place.ts';
import { SchedulePart } from '../schedule/SchedulePart.tsx';
import styles from './backups.module.css';
import { DumpsTable } from './DumpsTable.tsx';
import { ProvenRestore } from './ProvenRestore.tsx';
import { UploadDump } from './UploadDump.tsx';
import { useDumps } from './use-dumps.ts';

interface BackupsPanelProps {
  place: DatabasePlace;
  /** Why nothing can be done on the server now. */
  refusal: string | null;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The schedule of the backups, and the dumps of the database. A type without an export says so, and is not asked for any. */
export function BackupsPanel({ place, refusal, onOpen }: BackupsPanelProps) {
  const { dump } = databaseTypeOf(place.database.type);
  if (dump.kind === 'file') return <DumpsPanel place={place} refusal={refusal} onOpen={onOpen} />;
  return (
    <Panel title="Backups" id="backups" body="flush">
      <NothingYet>{dump.reason}</NothingYet>
    </Panel>
  );
}

function DumpsPanel({ place, refusal, onOpen }: BackupsPanelProps) {
  const { database, server } = place;
  const query = useDumps(database, useSeen('backups') && accessTo(server) === 'connected' && !server.metal);
  const connect = useConnect(server, query.refetch);
  const make = useAct('POST /api/databases/:id/dumps', {
    onDone: (operation) => openOperation(operation.id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const known = useApi('GET /api/databases/:id/backups', { params: { id: database.id } }).data;
  const listed = query.data?.kind === 'listed' ? query.data : null;
  const state = answerOf(query, accessTo(server));
  const hasSchedule = Boolean(known?.schedule) || Boolean(known?.runs.length);
  // Schedule and dumps need the same plugin and the same connection: one sentence says what is missing.
  const lacksPlugin = query.data?.kind === 'plugin_missing' && !hasSchedule;
  const isOneSentence =
    lacksPlugin || (!hasSchedule && (state.kind === 'closed' || state.kind === 'unconnected'));
  const reason =
    refusal ??
    (place.status === 'online' ? null : 'Only a database that runs can be dumped. Start it first.');
  return (
    <Panel
      title={isOneSentence ? <span id="schedule">Backups</span> : 'Backups'}
      id="backups"
      body="flush"
      actions={
        lacksPlugin ? (
          <ButtonLink
            size="sm"
            icon="download"
            to="/server/$key"
            params={{ key: server.key }}
            hash="settings"
          >
            Install the plugin
          </ButtonLink>
        ) : listed ? (
          <Button
            size="sm"
            icon="plus"
            disabledReason={reason}
            busy={make.isPending}
            busyLabel="Beginning"
            onClick={() => make.mutate({ params: { id: database.id } })}
          >
            Make a dump
          </Button>
        ) : null
      }
    >
      {server.metal ? (
        <NothingYet>{server.name} is used without Dokku, so Homeport makes no dumps there.</NothingYet>
      ) : isOneSentence ? (
        <DumpsRead place={place} state={state} connect={connect} onOpen={onOpen} onChanged={query.refetch} />
      ) : (
        <>
          <SchedulePart place={place} refusal={refusal} onOpen={onOpen} />
          <PanelPart title="Dumps">
            <DumpsRead
              place={place}
              state={state}
              connect={connect}
              onOpen={onOpen}
              onChanged={query.refetch}
            />
          </PanelPart>
        </>
      )}
    </Panel>
  );
}

interface DumpsReadProps extends Omit<ListedProps, 'dumps'> {
  state: OnServer<Dumps>;
  connect: Connect;
}

function DumpsRead({ state, connect, ...listed }: DumpsReadProps) {
  return (
    <ServerRead state={state} connect={connect} what="its dumps">
      {(dumps) => <Listed dumps={dumps} {...listed} />}
    </ServerRead>
  );
}

interface ListedProps {
  dumps: Dumps;
  place: DatabasePlace;
  onOpen: (dialog: DatabaseDialog) => void;
  onChanged: () => unknown;
}

function Listed({ dumps, place: { database, server }, onOpen, onChanged }: ListedProps) {
  if (dumps.kind === 'plugin_missing')
    return <NothingYet>Backups need Homeport’s plugin on {server.name}.</NothingYet>;
  const isEmpty = dumps.dumps.length === 0 && dumps.tests.length === 0;
  return (
    // The upload keeps its place in the tree, so that it goes on when the first dump is listed.
    <div className={isEmpty ? styles.none : undefined}>
      {isEmpty ? (
        <p className={classNames(typography.small, typography.muted)}>
          No dumps yet: a dump is a file with all data, on {server.name}. No restore was proven yet.
        </p>
      ) : (
        <>
          <ProvenRestore type={database.type} tests={dumps.tests} />
          {dumps.dumps.length === 0 ? (
            <NothingYet>No dumps any more.</NothingYet>
          ) : (
            <DumpsTable database={database} dumps={dumps.dumps} onOpen={onOpen} />
          )}
        </>
      )}
      <UploadDump database={database} freeBytes={dumps.freeBytes} onDone={onChanged} />
      {!isEmpty && (
        <p className={classNames(typography.small, typography.muted, styles.foot)}>
          Dumps lie on the same disk as the database
          {dumps.freeBytes === null ? '' : `, which has ${formatBytes(dumps.freeBytes)} free`}. They are lost
          with the server, so keep a copy elsewhere.
        </p>
      )}
    </div>
  );
}
