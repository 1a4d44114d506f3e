import type { ReactNode } from 'react';
import { problemText } from '../../../data/api-problem.ts';
import { Button } from '../../../ui/Button.tsx';
import { Failed, SkeletonRows } from '../../../ui/States.tsx';
import type { Connect } from './use-connect.ts';
import type { OnServer } from './use-on-server.ts';

export interface ServerReadProps<T> {
  state: OnServer<T>;
  connect: Connect;
  /** "the variables" */
  what: string;
  rows?: number;
  children: (data: T) => ReactNode;
}

/** What the server said, or how it stands with asking it. */
export function ServerRead<T>({ state, connect, what, rows = 3, children }: ServerReadProps<T>) {
  switch (state.kind) {
    case 'simulated':
      return <p className="nothing">This server is simulated: there is no machine to ask.</p>;
    case 'unconnected':
      return (
        <div className="nothing row wrap g3">
          <span>Connect to see {what}.</span>
          <Button size="sm" icon="link" busy={connect.busy} busyLabel="Connecting" onClick={connect.run}>
            Connect<span className="sr"> to see {what}</span>
          </Button>
        </div>
      );
    case 'loading':
      return <SkeletonRows rows={rows} />;
    case 'failed':
      return (
        <Failed title={`The server did not tell ${what}`} onRetry={state.retry}>
          {problemText(state.error)}
        </Failed>
      );
    case 'ready':
      return children(state.data);
  }
}
