import { operationStateText } from '@homeport/contract/operations/health';
import type { Operation } from '@homeport/contract/operations/schema';
import { useApi } from '../data/use-api.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import { Badge, type BadgeTone } from '../ui/feedback/Status.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import settingsListStyles from '../ui/layout/settings-list.module.css';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';
import { openOperation } from './open-operation.ts';
import { RanCommands } from './RanCommands.tsx';
import styles from './RecentWork.module.css';

const shownAtMost = 5;
const tones: Record<Operation['state'], BadgeTone> = {
  queued: 'info',
  running: 'info',
  waiting: 'warn',
  succeeded: 'ok',
  failed: 'bad',
  interrupted: 'warn',
  cancelled: 'none',
};

interface RecentWorkProps {
  /** The app or the database. */
  of: { appId: string } | { databaseId: string };
}

/**
 * The console's last work on one app or database. Shows the log and, on request, the exact commands with accounts, exit
 * codes and times.
 */
export function RecentWork({ of }: RecentWorkProps) {
  const work = useApi('GET /api/operations', { query: of });
  return (
    <Panel title="Recent work" id="work" body="flush" busy={work.isPending}>
      {work.isPending && <SkeletonRows />}
      {work.isError && !work.data && (
        <Failed title="The work could not be loaded" onRetry={() => void work.refetch()} />
      )}
      {work.data?.length === 0 && (
        <NothingYet>The console has not worked on this {'appId' in of ? 'app' : 'database'} yet.</NothingYet>
      )}
      {work.data && work.data.length > 0 && (
        <ul className={classNames(settingsListStyles.settings, styles.operations)}>
          {work.data.slice(0, shownAtMost).map((operation) => (
            <li key={operation.id}>
              <div className={classNames(layout.row, layout.wrap, layout.gap3)}>
                <span className={typography.strong}>{operation.title}</span>
                <Badge tone={tones[operation.state]}>{operationStateText(operation.state)}</Badge>
                <span className={typography.subtle}>
                  <Time at={operation.createdAt} />
                </span>
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
