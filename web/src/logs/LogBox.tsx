import type { ReactNode } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import { LogView } from '../ui/log/LogView.tsx';
import type { LogState } from '../ui/log/log-lines.ts';
import typography from '../ui/text/typography.module.css';
import type { LogLink } from './follow-log.ts';
import logBoxStyles from './log-box.module.css';
import type { LogFeed } from './log-feed.ts';
import { useLogAnswered, useLogInterval, useLogLink, useLogState } from './use-log-feed.ts';

export interface LogBoxProps {
  /** "log of ledger-api" */
  label: string;
  feed: LogFeed;
  /** Shown in place of the live log while the view is paused. */
  held?: LogState | null;
  times?: boolean;
  /** No more lines will arrive for now. */
  over?: boolean;
  /** Shown once the server has answered that there are no lines. */
  empty: string;
  onRetry: () => void;
  /** More buttons for the bar. */
  children?: ReactNode;
}

/** A log in a panel, with a note on the state of its stream. */
export function LogBox({
  label,
  feed,
  held = null,
  times = false,
  over = false,
  empty,
  onRetry,
  children,
}: LogBoxProps) {
  const link = useLogLink(feed);
  const log = useLogState(feed);
  const answered = useLogAnswered(feed);
  const everyMs = useLogInterval(feed);
  const shown = held ?? log;
  const more = held ? log.nextNumber - held.nextNumber : 0;
  return (
    <>
      <div className={logBoxStyles.box}>
        <LogView
          label={label}
          lines={shown.lines}
          dropped={shown.dropped}
          live={link.kind === 'live' && !held && !over && shown.lines.length > 0}
          times={times}
          counted={answered}
          empty={emptyText(link, answered ? empty : 'Asking the server for the log')}
          note={held ? `Paused, ${more} more ${more === 1 ? 'line' : 'lines'}` : noteText(link)}
        >
          {children}
        </LogView>
      </div>
      {everyMs !== null && (
        <div className={classNames(panelStyles.foot, typography.extraSmall, typography.muted)}>
          New lines come every {everyMs / 1_000} seconds: the server gives this login no terminal, and
          following the log without one would leave processes there.
        </div>
      )}
      {link.kind === 'failed' && (
        <div className={panelStyles.foot} role="alert">
          {link.message}
          <Button size="sm" className={layout.atEnd} icon="refresh" onClick={onRetry}>
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
      return link.reason ?? empty;
    case 'unconnected':
      return 'Not connected';
    case 'failed':
      return 'The log could not be opened';
  }
}

function noteText(link: LogLink): string | null {
  if (link.kind === 'paused' && link.reason !== null) return `${link.reason} Trying again.`;
  return link.kind === 'unconnected' ? 'Not connected' : null;
}
