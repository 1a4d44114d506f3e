import type { IconName } from '../picture/Icon.tsx';
import { Badge, type BadgeTone } from './Status.tsx';

/** How far a piece of work is: an operation, a deploy, a run at GitHub, a backup. */
export type WorkState =
  | 'never'
  | 'queued'
  | 'running'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  | 'interrupted'
  | 'cancelled';

type Look = { word: string; tone: BadgeTone; icon: IconName };

const looks: Record<WorkState, Look> = {
  never: { word: 'Never ran', tone: 'none', icon: 'upload' },
  queued: { word: 'Queued', tone: 'info', icon: 'clock' },
  running: { word: 'Running', tone: 'info', icon: 'refresh' },
  waiting: { word: 'Waiting', tone: 'warn', icon: 'pause' },
  succeeded: { word: 'Succeeded', tone: 'ok', icon: 'success' },
  failed: { word: 'Failed', tone: 'bad', icon: 'danger' },
  interrupted: { word: 'Interrupted', tone: 'warn', icon: 'warning' },
  cancelled: { word: 'Cancelled', tone: 'none', icon: 'x' },
};

export interface WorkBadgeProps {
  state: WorkState;
  /** A word of the kind of work in place of the state's own: "Deploying". */
  word?: string;
}

/** The one badge for the state of work. It has its icon everywhere. */
export function WorkBadge({ state, word }: WorkBadgeProps) {
  const { tone, icon, word: own } = looks[state];
  return (
    <Badge tone={tone} icon={icon} spinning={state === 'running'}>
      {word ?? own}
    </Badge>
  );
}
