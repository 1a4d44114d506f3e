import type { BackupRun } from '@homeport/contract/backups/schema';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/picture/Icon.tsx';
import { type Column, Table } from '../../../ui/table/Table.tsx';
import { formatBytes, formatDuration } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { shortChecksum } from '../short-checksum.ts';
import styles from './schedule.module.css';
import { runText } from './schedule-texts.ts';

/** The last runs, with the reason of each failure. */
export function RunsTable({ runs }: { runs: readonly BackupRun[] }) {
  return (
    <Table
      caption="Scheduled backups that ran"
      columns={columns}
      rows={runs}
      rowKey={({ id }) => id}
      sort={{ key: 'began', direction: 'descending' }}
    />
  );
}

const looks = {
  running: { icon: 'clock', style: undefined },
  succeeded: { icon: 'success', style: styles.good },
  failed: { icon: 'danger', style: styles.bad },
} as const;

const columns: Column<BackupRun>[] = [
  {
    key: 'began',
    head: <>Begun</>,
    label: 'Begun',
    sortBy: ({ beganAt }) => beganAt,
    cell: ({ beganAt, durationSeconds, state }) => (
      <span className={classNames(typography.twoLines, typography.nowrap)}>
        <Time at={beganAt} as="datetime" />
        {state !== 'running' && (
          <small className={typography.muted}>
            took {durationSeconds === 0 ? 'under 1 s' : formatDuration(durationSeconds * 1_000)}
          </small>
        )}
      </span>
    ),
  },
  {
    key: 'result',
    head: 'Result',
    cell: ({ state, failure, text }) => (
      <span className={typography.twoLines}>
        <span className={styles.result}>
          <Icon name={looks[state].icon} size={16} className={looks[state].style} />
          {runText({ state, failure })}
        </span>
        {text !== null && <small className={classNames(typography.muted, styles.reason)}>{text}</small>}
      </span>
    ),
  },
  {
    key: 'size',
    head: 'Size',
    align: 'end',
    cell: ({ bytes }) => (
      <span className={typography.nowrap}>{bytes === null ? 'none' : formatBytes(bytes)}</span>
    ),
  },
  {
    key: 'checksum',
    head: 'SHA-256',
    card: 'low',
    cell: ({ sha256 }) =>
      sha256 === null ? (
        <span className={typography.subtle}>none</span>
      ) : (
        <code className={typography.monospace} title={sha256}>
          {shortChecksum(sha256)}
        </code>
      ),
  },
];
