import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import { LogView } from '../ui/log/LogView.tsx';
import type { LogState } from '../ui/log/log-lines.ts';
import type { MenuItem } from '../ui/menu/menu-props.ts';
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
  /** Offers a download under this name. */
  saveAs?: string;
  /** Holds and releases the view. Its menu has the item then. */
  onHold?: (held: LogState | null) => void;
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
  saveAs,
  onHold,
  children,
}: LogBoxProps) {
  const link = useLogLink(feed);
  const log = useLogState(feed);
  const answered = useLogAnswered(feed);
  const everyMs = useLogInterval(feed);
  const shown = held ?? log;
  const save = useSaveItem(feed, saveAs, log.lines.length === 0);
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
          more={[
            ...(onHold
              ? [
                  {
                    label: held ? 'Resume' : 'Pause',
                    icon: held ? 'play' : 'pause',
                    onSelect: () => onHold(held ? null : feed.log()),
                  } as const,
                ]
              : []),
            ...save,
          ]}
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

/** Saves every line that the page holds, including lines that arrived while the view was paused. */
function useSaveItem(feed: LogFeed, name: string | undefined, nothing: boolean): MenuItem[] {
  const [busy, setBusy] = useState(false);
  if (name === undefined) return [];
  const save = async () => {
    setBusy(true);
    const { saveLog } = await import('./save-log.ts');
    await saveLog(name, feed.log().lines);
    setBusy(false);
  };
  return [
    {
      label: 'Download',
      icon: 'download',
      disabledReason: nothing ? 'There are no lines yet.' : busy ? 'The file is being made.' : null,
      onSelect: () => void save(),
    },
  ];
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
