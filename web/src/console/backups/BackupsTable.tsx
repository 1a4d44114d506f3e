import type { ConsoleBackup } from '@homeport/contract/console/schema';
import { problemText } from '../../data/problem-text.ts';
import { routeUrl } from '../../data/route-url.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { WorkBadge } from '../../ui/feedback/WorkBadge.tsx';
import layout from '../../ui/layout/layout.module.css';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { formatBytes, formatCount, formatDateTime, formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import { nextTry } from './copy-texts.ts';

/** The backups, the newest first. */
export function BackupsTable({ backups }: { backups: readonly ConsoleBackup[] }) {
  return <Table caption="Backups" columns={columns} rows={backups} rowKey={({ id }) => id} />;
}

const columns: Column<ConsoleBackup>[] = [
  {
    key: 'made',
    head: 'Made',
    cell: ({ startedAt, startedBy }) => (
      <span className={typography.twoLines}>
        <Time at={startedAt} as="datetime" />
        <small className={typography.muted}>{startedBy === 'schedule' ? 'by the schedule' : 'by hand'}</small>
      </span>
    ),
  },
  {
    key: 'state',
    head: 'State',
    cell: ({ state, startedAt, endedAt, failure, proof }) => (
      <span className={typography.twoLines}>
        <span>
          <WorkBadge
            state={state === 'done' ? 'succeeded' : state}
            {...(state === 'running' ? { word: 'Being made' } : {})}
          />
        </span>
        {failure !== null ? (
          <small>{failure}</small>
        ) : endedAt !== null ? (
          <small className={typography.muted}>
            took {endedAt - startedAt < 1_000 ? 'under 1 s' : formatDuration(endedAt - startedAt)}
            {proof !== null && ', with a test restore'}
          </small>
        ) : null}
      </span>
    ),
  },
  {
    key: 'size',
    head: 'Size',
    align: 'end',
    cell: ({ bytes, rows }) =>
      bytes === null ? null : (
        <span className={typography.twoLines}>
          <span className={typography.nowrap}>{formatBytes(bytes)}</span>
          <small className={typography.muted}>{formatCount(rows)} rows</small>
        </span>
      ),
  },
  { key: 'content', head: 'Content', cell: (backup) => <Content {...backup} /> },
  {
    key: 'actions',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: (backup) => (backup.state === 'done' ? <Actions backup={backup} /> : null),
  },
];

function Content({ state, encrypted, isHere, isIntact, checkedAt, proof, copy }: ConsoleBackup) {
  return (
    <span className={typography.twoLines}>
      <span>{encrypted ? 'Encrypted' : <Badge tone="warn">In clear</Badge>}</span>
      {state === 'done' && !isHere && <small>Not on this machine</small>}
      {isIntact === true && (
        <small className={typography.muted}>
          As written, checked <Time at={checkedAt} />
        </small>
      )}
      {isIntact === false && <Badge tone="bad">Damaged</Badge>}
      {proof && <Proof {...proof} />}
      {copy && <Copy {...copy} />}
    </span>
  );
}

/** What a restore into a throw-away PostgreSQL showed. */
function Proof({ state, at, note }: NonNullable<ConsoleBackup['proof']>) {
  if (state === 'proven')
    return (
      <small className={typography.muted}>
        Restored as a test <Time at={at} />
      </small>
    );
  return (
    <>
      {state === 'failed' && <Badge tone="bad">Cannot be restored</Badge>}
      <small className={typography.muted}>
        {state === 'skipped' ? `Not restored as a test. ${note}` : note}
      </small>
    </>
  );
}

/** What became of the copy away from the console’s machine. */
function Copy(copy: NonNullable<ConsoleBackup['copy']>) {
  const { state, to, note } = copy;
  const now = useNow(60_000);
  if (state === 'failed')
    return (
      <>
        <Badge tone="warn">Not copied</Badge>
        <small className={typography.muted}>{note}</small>
        <small className={typography.muted}>{nextTry(copy, now)}</small>
      </>
    );
  return (
    <small className={typography.muted}>
      {state === 'copied' ? 'Copied to' : 'Being copied to'} {to}
    </small>
  );
}

function Actions({ backup: { id, startedAt, isHere, copy } }: { backup: ConsoleBackup }) {
  const which = ` the backup of ${formatDateTime(startedAt)}`;
  const onFailed = (error: Error) => toast.bad(problemText(error));
  const check = useAct('POST /api/console/backups/:id/check', {
    onDone: (checked) =>
      checked.isIntact && checked.copy?.state !== 'failed'
        ? toast.ok('The file is the one that was written')
        : toast.bad(checked.isIntact ? 'The copy is not what was written' : 'The file has changed'),
    onFailed,
  });
  const fetchFile = useAct('POST /api/console/backups/:id/fetch', {
    onDone: () => location.assign(routeUrl('GET /api/console/backups/:id/file', { params: { id } }).url),
    onFailed,
  });
  const reason = isHere ? null : 'The file is not on this machine.';
  return (
    <span className={layout.row}>
      <Button
        size="sm"
        busy={check.isPending}
        busyLabel="Checking"
        disabledReason={copy?.state === 'copied' ? null : reason}
        onClick={() => check.mutate({ params: { id } })}
      >
        Check<span className={layout.visuallyHidden}>{which}</span>
      </Button>
      <Button
        size="sm"
        icon="download"
        busy={fetchFile.isPending}
        busyLabel="Beginning"
        disabledReason={reason}
        onClick={() => fetchFile.mutate({ params: { id } })}
      >
        Download<span className={layout.visuallyHidden}>{which}</span>
      </Button>
    </span>
  );
}
