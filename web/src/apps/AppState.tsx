import { appStateText, type AppState as State } from '@homeport/contract/apps/health';
import { Badge, Status } from '../ui/feedback/Status.tsx';

export interface AppStateProps {
  state: State;
  now: number;
  /** Always boxed in a page header. */
  boxed?: boolean;
}

/** An app's state in words: what is well is quiet, the rest has a box. */
export function AppState({ state, now, boxed = false }: AppStateProps) {
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
    case 'crashed':
      return (
        <Badge tone="bad" icon="danger">
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
