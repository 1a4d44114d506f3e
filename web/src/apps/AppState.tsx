import { Badge, Status } from '../ui/feedback/Status.tsx';
import type { AppStatus } from './app-status.ts';

/** Running, Paused, or Not deployed yet; always boxed in a page header. */
export function AppState({ status, boxed = false }: { status: AppStatus; boxed?: boolean }) {
  if (status !== 'undeployed') return <Status status={status} boxed={boxed} />;
  return (
    <Badge tone="none" icon="upload">
      Not deployed yet
    </Badge>
  );
}
