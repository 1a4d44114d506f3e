import type { ReactNode } from 'react';
import { problemText } from '../data/problem-text.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import type { OnServer } from './server-answer.ts';
import type { Connect } from './use-connect.ts';

export interface ServerReadProps<T> {
  state: OnServer<T>;
  connect: Connect;
  /** "the variables" */
  what: string;
  /** How many rows are expected. 1: a sentence. */
  rows?: number;
  children: (data: T) => ReactNode;
}

/** Shows the server's answer, or the state of the request. */
export function ServerRead<T>({ state, connect, what, rows = 3, children }: ServerReadProps<T>) {
  switch (state.kind) {
    case 'closed':
      return <NothingYet>{state.text}</NothingYet>;
    case 'unconnected':
      return (
        <div className={classNames(panelStyles.nothing, layout.row, layout.wrap, layout.gap3)} data-nothing>
          <span>Connect to see {what}.</span>
          <Button size="sm" icon="link" busy={connect.busy} busyLabel="Connecting" onClick={connect.run}>
            Connect<span className={layout.visuallyHidden}> to see {what}</span>
          </Button>
        </div>
      );
    case 'not_asked':
    case 'loading':
      return <SkeletonRows rows={rows} />;
    case 'failed':
      return (
        <Failed title={`The server did not send ${what}`} onRetry={state.retry}>
          {problemText(state.error)}
        </Failed>
      );
    case 'ready':
      return children(state.data);
  }
}
