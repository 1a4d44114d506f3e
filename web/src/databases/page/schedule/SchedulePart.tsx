import type { BackupSchedule, Backups, ServerSchedule } from '@homeport/contract/backups/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { accessTo, answerOf } from '../../../on-server/server-answer.ts';
import { useConnect } from '../../../on-server/use-connect.ts';
import { useSeen } from '../../../on-server/use-seen.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import { PanelPart } from '../../../ui/layout/Panel.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import type { DatabasePlace } from '../database-place.ts';
import { RunsTable } from './RunsTable.tsx';
import { ScheduleFacts } from './ScheduleFacts.tsx';
import { ScheduleNotices } from './ScheduleNotices.tsx';
import { useScheduleChanged, useServerSchedule } from './use-schedule.ts';

interface SchedulePartProps {
  place: DatabasePlace;
  /** Why nothing can be done on the server now. */
  refusal: string | null;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The schedule of the database's backups and its runs. A type without dumps has none, which the dumps' panel says. */
export function SchedulePart(props: SchedulePartProps) {
  const { server, database } = props.place;
  if (databaseTypeOf(database.type).dump.kind === 'none' || server.metal) return null;
  return <Scheduled {...props} />;
}

function Scheduled({ place, refusal, onOpen }: SchedulePartProps) {
  const { database, server } = place;
  const known = useApi('GET /api/databases/:id/backups', { params: { id: database.id } });
  const query = useServerSchedule(database, useSeen('schedule') && accessTo(server) === 'connected');
  const connect = useConnect(server, query.refetch);
  const told = query.data?.kind === 'told' ? query.data : null;
  const schedule = told ? told.schedule : (known.data?.schedule ?? null);
  const open = (kind: 'schedule' | 'remove-schedule') => told && onOpen({ kind, told });
  return (
    <PanelPart
      title="Schedule"
      id="schedule"
      actions={
        told && (
          <Actions
            place={place}
            told={told}
            refusal={refusal}
            onEdit={() => open('schedule')}
            onRemove={() => open('remove-schedule')}
          />
        )
      }
    >
      <ScheduleNotices database={database} known={known.data} told={told} />
      {schedule && <ScheduleFacts schedule={schedule} asked={told !== null} />}
      <ServerRead
        state={answerOf(query, accessTo(server))}
        connect={connect}
        what={schedule ? 'what holds on the server now' : 'its schedule'}
        rows={1}
      >
        {(answer) => <Answer answer={answer} place={place} />}
      </ServerRead>
      <Runs known={known.data} schedule={schedule} />
    </PanelPart>
  );
}

function Answer({ answer, place: { server, database } }: { answer: ServerSchedule; place: DatabasePlace }) {
  if (answer.kind === 'plugin_missing')
    return <NothingYet>Scheduled backups need Homeport’s plugin on {server.name}.</NothingYet>;
  if (answer.schedule) return null;
  return (
    <NothingYet>
      No schedule yet. With one, {server.name} makes backups of {database.name} by itself, also while this
      console is away.
    </NothingYet>
  );
}

function Runs({ known, schedule }: { known: Backups | undefined; schedule: BackupSchedule | null }) {
  if (!known) return null;
  if (known.runs.length > 0) return <RunsTable runs={known.runs} />;
  return schedule ? <NothingYet>No run yet. Its agent reports each one within minutes.</NothingYet> : null;
}

interface ActionsProps {
  place: DatabasePlace;
  told: Extract<ServerSchedule, { kind: 'told' }>;
  refusal: string | null;
  onEdit: () => void;
  onRemove: () => void;
}

function Actions({
  place: { database, status },
  told: { schedule },
  refusal,
  onEdit,
  onRemove,
}: ActionsProps) {
  const changed = useScheduleChanged(database.id);
  const onFailed = (error: Error) => toast.bad(problemText(error));
  const run = useAct('POST /api/databases/:id/schedule/run', {
    onDone: (operation) => openOperation(operation.id),
    onFailed,
  });
  const write = useAct('PUT /api/databases/:id/schedule', { onDone: changed, onFailed });
  const common = { size: 'sm', disabledReason: refusal } as const;
  if (!schedule)
    return (
      <Button {...common} icon="clock" onClick={onEdit}>
        Set a schedule
      </Button>
    );
  const { timeZone: _zone, since: _since, target, paused, ...kept } = schedule;
  const body = {
    ...kept,
    paused: !paused,
    target: target.kind === 's3' ? { ...target, keys: null } : target,
  };
  return (
    <span className={classNames(layout.row, layout.wrap, layout.gap2)}>
      <Button
        {...common}
        icon="play"
        disabledReason={
          refusal ??
          (status === 'online' ? null : 'Only a database that runs can be backed up. Start it first.')
        }
        busy={run.isPending}
        busyLabel="Beginning"
        onClick={() => run.mutate({ params: { id: database.id } })}
      >
        Run now
      </Button>
      <Button
        {...common}
        icon={paused ? 'play' : 'pause'}
        busy={write.isPending}
        busyLabel={paused ? 'Resuming' : 'Pausing'}
        onClick={() => write.mutate({ params: { id: database.id }, body })}
      >
        {paused ? 'Resume' : 'Pause'}
        <span className={layout.visuallyHidden}> the schedule</span>
      </Button>
      <Button {...common} icon="edit" onClick={onEdit}>
        Edit<span className={layout.visuallyHidden}> the schedule</span>
      </Button>
      <Button {...common} icon="trash" onClick={onRemove}>
        Remove<span className={layout.visuallyHidden}> the schedule</span>
      </Button>
    </span>
  );
}
