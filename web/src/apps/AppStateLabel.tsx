import { type AppState, appStateText } from '@homeport/contract/apps/health';
import { Badge, Status } from '../ui/feedback/Status.tsx';

export interface AppStateLabelProps {
  state: AppState;
  now: number;
  /** Boxes every state, as in a page header. */
  boxed?: boolean;
}

/** An app's state in words. Running and paused are quiet; every other state has a box. */
export function AppStateLabel({ state, now, boxed = false }: AppStateLabelProps) {
  const text = appStateText(state, now);
  switch (state.kind) {
    case 'running':
    case 'paused':
      return <Status status={state.kind} boxed={boxed} />;
    case 'silent':
      return (
        <Badge tone="warn" icon="warning">
          {text}
        </Badge>
      );
    case 'missing':
    case 'crashed':
      return (
        <Badge tone="bad" icon="danger">
          {text}
        </Badge>
      );
    case 'unread':
      return (
        <Badge tone="none" icon="info">
          {text}
        </Badge>
      );
    case 'undeployed':
      return (
        <Badge tone="none" icon="upload">
          {text}
        </Badge>
      );
  }
}
