import type { Operation } from '@homeport/contract/operations/schema';
import { useState } from 'react';
import { useApi } from '../data/use-api.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import { WorkBadge } from '../ui/feedback/WorkBadge.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import settingsListStyles from '../ui/layout/settings-list.module.css';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';
import { openOperation } from './open-operation.ts';
import { RanCommands } from './RanCommands.tsx';
import styles from './RecentWork.module.css';

const shownAtMost = 5;

interface RecentWorkProps {
  /** The app or the database. */
  of: { appId: string } | { databaseId: string };
}

/**
 * The console's last work on one app or database: the latest in one line, and on request the last ones, each with its log and its
 * exact commands with accounts, exit codes and times.
 */
export function RecentWork({ of }: RecentWorkProps) {
  const work = useApi('GET /api/operations', { query: of });
  const [open, setOpen] = useState(false);
  const all = work.data?.slice(0, shownAtMost) ?? [];
  const [latest] = all;
  return (
    <Panel
      title="Recent work"
      id="work"
      body="flush"
      line={!latest || open}
      busy={work.isPending}
      aside={latest && !open && <Latest operation={latest} />}
      actions={
        latest && (
          <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Show the latest only' : all.length === 1 ? 'Show' : `Show the last ${all.length}`}
          </Button>
        )
      }
    >
      {work.isPending && <SkeletonRows rows={1} />}
      {work.isError && !work.data && (
        <Failed title="The work could not be loaded" onRetry={() => void work.refetch()} />
      )}
      {work.data && !latest && (
        <NothingYet>The console has not worked on this {'appId' in of ? 'app' : 'database'} yet.</NothingYet>
      )}
      {open && latest && (
        <ul className={classNames(settingsListStyles.settings, styles.operations)}>
          {all.map((operation) => (
            <li key={operation.id}>
              <div className={classNames(layout.row, layout.wrap, layout.gap3)}>
                <Latest operation={operation} />
                <Button
                  size="sm"
                  variant="ghost"
                  icon="log"
                  className={layout.atEnd}
                  onClick={() => openOperation(operation.id)}
                >
                  Log<span className={layout.visuallyHidden}> of {operation.title}</span>
                </Button>
              </div>
              <RanCommands operationId={operation.id} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Latest({ operation: { title, state, createdAt } }: { operation: Operation }) {
  return (
    <span className={classNames(layout.row, layout.wrap, layout.gap3, typography.small)}>
      <span className={typography.strong}>{title}</span>
      <WorkBadge state={state} />
      <span className={typography.subtle}>
        <Time at={createdAt} />
      </span>
    </span>
  );
}
