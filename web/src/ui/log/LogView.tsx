import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import { Button, IconButton } from '../button/Button.tsx';
import { useCopy } from '../button/use-copy.ts';
import { classNames } from '../class-names.ts';
import controlsStyles from '../form/controls.module.css';
import searchFieldStyles from '../form/search-field.module.css';
import layout from '../layout/layout.module.css';
import { Menu } from '../menu/Menu.tsx';
import type { MenuItem } from '../menu/menu-props.ts';
import { Icon } from '../picture/Icon.tsx';
import { formatCount } from '../text/format.ts';
import typography from '../text/typography.module.css';
import { LogRows } from './LogRows.tsx';
import styles from './LogView.module.css';
import logStyles from './log.module.css';
import { gatherText, type LogLine, lineText, logText } from './log-lines.ts';
import { type LogViewControl, useLogView } from './use-log-view.ts';

const copiedAtOnce = 10_000;

export interface LogViewProps {
  /** The name of the scroller: "Log of ledger-api". */
  label: string;
  lines: readonly LogLine[];
  /** Earlier lines were dropped. */
  dropped?: boolean;
  /** Draws a caret at the end while more lines may arrive. */
  live?: boolean;
  /** Offers to show the time of each line. */
  times?: boolean;
  /** False while nobody knows yet how many lines there are. Default: true. */
  counted?: boolean;
  /** Shown while there are no lines. */
  empty?: string;
  /** Stands under the last line: the state of the stream. */
  note?: string | null;
  /** More items for the menu, which holds what is rarely pressed. */
  more?: readonly MenuItem[];
  /** More buttons for the bar, which is one line at every width. */
  children?: ReactNode;
}

/** A log as plain text. New lines are not spoken. The view follows the end until the user scrolls up. */
export function LogView(props: LogViewProps) {
  const { label, lines, times = false, counted = true, more = [], children } = props;
  const search = useRef<HTMLInputElement>(null);
  const view = useLogView(lines);
  const { state: copied, copy } = useCopy();
  // A browser accepts text for the clipboard most reliably during the press itself. A long text would block
  // the page, so it is gathered first.
  const copyAll = async () => {
    copy(lines.length <= copiedAtOnce ? logText(lines) : await gatherText(lines, lineText));
  };
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <LogSearchField label={label} field={search} view={view} />
        <span
          className={classNames(
            typography.extraSmall,
            typography.subtle,
            typography.nowrap,
            copied === 'idle' && view.found.words === '' && styles.total,
          )}
          role="status"
        >
          {copyTexts[copied] ?? (counted && countText(view, lines.length))}
        </span>
        <span className={classNames(layout.row, layout.atEnd, styles.buttons)}>
          <Button
            size="sm"
            variant="ghost"
            icon="follow"
            aria-pressed={view.state.follow}
            onClick={() => view.follow(!view.state.follow)}
          >
            <span className={styles.word}>Follow</span>
          </Button>
          {children}
          <Menu
            trigger={<IconButton label={`More for ${label}`} icon="more" />}
            items={[
              ...lookItems(view, times),
              { label: 'Copy', icon: 'copy', onSelect: () => void copyAll() },
              ...more,
            ]}
          />
        </span>
      </div>
      <div className={styles.frame}>
        <LogScroller {...props} view={view} onSearch={() => search.current?.focus()} onCopy={copyAll} />
        {view.fresh > 0 && (
          <button type="button" className={styles.newLines} onClick={() => view.follow(true)}>
            <Icon name="arrowdown" size={14} />
            {formatCount(view.fresh)} new {view.fresh === 1 ? 'line' : 'lines'}
          </button>
        )}
      </div>
    </div>
  );
}

interface LogSearchFieldProps {
  label: string;
  field: RefObject<HTMLInputElement | null>;
  view: LogViewControl;
}

function LogSearchField({ label, field, view }: LogSearchFieldProps) {
  return (
    <div className={classNames(searchFieldStyles.search, styles.search)}>
      <Icon name="search" size={14} />
      <input
        ref={field}
        className={controlsStyles.input}
        type="search"
        aria-label={`Search ${label}`}
        placeholder="Search the log"
        autoComplete="off"
        value={view.state.words}
        onChange={(event) => view.search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          view.stepBy(event.shiftKey ? -1 : 1);
        }}
      />
    </div>
  );
}

/** The number of lines, or the place of the current search hit. */
function countText({ found, at }: LogViewControl, lines: number): string {
  if (found.words === '') return `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;
  if (found.hits.length > 0) return `${formatCount(at + 1)} of ${formatCount(found.hits.length)}`;
  return found.searching ? 'Searching' : 'No hits';
}

const copyTexts: Partial<Record<ReturnType<typeof useCopy>['state'], string>> = {
  copied: 'Copied',
  failed: 'Not copied',
};

/** How the lines look. */
function lookItems(view: LogViewControl, times: boolean): MenuItem[] {
  const { wrap, withTimes } = view.state;
  return [
    ...(times
      ? [{ kind: 'switch', label: 'Times', icon: 'clock', on: withTimes, onSelect: view.pressTimes } as const]
      : []),
    { kind: 'switch', label: 'Wrap', icon: 'wrap', on: wrap, onSelect: view.pressWrap },
  ];
}

interface LogScrollerProps extends LogViewProps {
  view: LogViewControl;
  onSearch: () => void;
  onCopy: () => Promise<void>;
}

/** The lines, and the keys that work in them. */
function LogScroller({ label, lines, dropped, live, empty, note, view, onSearch, onCopy }: LogScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { follow, wrap, withTimes } = view.state;
  const toTop = () => {
    view.follow(false);
    if (scroller.current) scroller.current.scrollTop = 0;
  };
  const onKeys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowUp' || event.key === 'PageUp') view.follow(false);
    const acts: Record<string, () => void> = {
      f: () => view.follow(!follow),
      w: view.pressWrap,
      c: () => void onCopy(),
      '/': onSearch,
      Home: toTop,
      End: () => view.follow(true),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div
      ref={scroller}
      className={classNames(logStyles.log, styles.lines, !wrap && logStyles.unwrapped)}
      role="log"
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reachable by keyboard
      tabIndex={0}
      onKeyDown={onKeys}
      // Stops following at once, before new lines move the view back to the end.
      onWheel={({ deltaY }) => deltaY < 0 && view.follow(false)}
      onTouchMove={() => view.follow(false)}
    >
      {dropped && (
        <div className={classNames(logStyles.line, logStyles.rule)}>Earlier lines were dropped</div>
      )}
      {lines.length === 0 && empty && (
        <div className={classNames(logStyles.line, logStyles.rule)}>{empty}</div>
      )}
      <LogRows
        {...{ scroller, lines, withTimes, wrap, follow }}
        words={view.found.words}
        onScrolled={view.follow}
        target={view.current}
      />
      {note && lines.length > 0 && <div className={classNames(logStyles.line, logStyles.rule)}>{note}</div>}
      {live && (
        <div className={logStyles.line} aria-hidden="true">
          <span className={logStyles.number}>{view.lastNumber + 1}</span>
          <span>
            <span className={logStyles.caret} />
          </span>
        </div>
      )}
    </div>
  );
}
