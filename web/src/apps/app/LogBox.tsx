import { Button } from '../../ui/Button.tsx';
import { LogView } from '../../ui/log/LogView.tsx';
import type { LogLink } from '../app-log/follow-log.ts';
import type { AppLogView } from '../app-log/use-app-log.ts';

export interface LogBoxProps {
  /** "log of ledger-api" */
  label: string;
  view: AppLogView;
  times?: boolean;
  /** Said in place of lines. */
  empty: string;
  onRetry: () => void;
}

/** A log in a panel, with a word on how its stream stands. */
export function LogBox({ label, view: { log, link }, times = false, empty, onRetry }: LogBoxProps) {
  return (
    <>
      <div className="applog">
        <LogView
          label={label}
          lines={log.lines}
          dropped={log.dropped}
          live={link.kind === 'live' && log.lines.length > 0}
          times={times}
          empty={emptyText(link, empty)}
        />
      </div>
      {link.kind === 'failed' && (
        <div className="panel-f" role="alert">
          {link.message}
          <Button size="sm" className="end" icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

function emptyText(link: LogLink, empty: string): string {
  switch (link.kind) {
    case 'opening':
      return 'Opening the log';
    case 'live':
      return empty;
    case 'paused':
      return link.reason;
    case 'unconnected':
      return 'Not connected';
    case 'failed':
      return 'The log could not be opened';
  }
}
