import { type KeyboardEvent, type ReactNode, useCallback, useDeferredValue, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { useCopy } from '../button/use-copy.ts';
import { classNames } from '../class-names.ts';
import controlsStyles from '../form/controls.module.css';
import searchFieldStyles from '../form/search-field.module.css';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import { formatCount } from '../text/format.ts';
import typography from '../text/typography.module.css';
import { LogRows } from './LogRows.tsx';
import styles from './LogView.module.css';
import logStyles from './log.module.css';
import { gatherText, type LogLine, lineText, logText } from './log-lines.ts';
import { placeOf } from './log-search.ts';
import { useLogSearch } from './use-log-search.ts';

const copiedAtOnce = 10_000;

export interface LogViewProps {
  /** Names the scroller: "Log of ledger-api". */
  label: string;
  lines: readonly LogLine[];
  /** Earlier lines are gone. */
  dropped?: boolean;
  /** Draws the caret at the end while lines may come. */
  live?: boolean;
  /** Offers the times of the lines. */
  times?: boolean;
  /** Shown in place of lines. */
  empty?: string;
  /** How the stream stands, under the last line. */
  note?: string | null;
  /** Further buttons of the bar. */
  children?: ReactNode;
}

/** Text only; new lines are not spoken. Follow stays on until one scrolls up. */
export function LogView({
  label,
  lines,
  dropped = false,
  live = false,
  times = false,
  empty,
  note,
  children,
}: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(true);
  const [withTimes, setWithTimes] = useState(false);
  const [seenNumber, setSeenNumber] = useState(0);
  const { state: copied, copy } = useCopy();

  const found = useLogSearch(lines, useDeferredValue(words));
  const { hits } = found;
  const at = chosen === null ? 0 : Math.min(placeOf(hits, chosen), hits.length - 1);
  const current = hits[at] ?? null;
  const lastNumber = lines.at(-1)?.number ?? 0;
  const fresh = follow ? 0 : Math.max(0, lastNumber - seenNumber);

  const changeFollow = useCallback((next: boolean, last: number) => {
    setFollow((before) => {
      if (before && !next) setSeenNumber(last);
      return next;
    });
  }, []);
  const onScrolled = useCallback(
    (atEnd: boolean) => changeFollow(atEnd, lastNumber),
    [changeFollow, lastNumber],
  );
  const stepBy = (step: 1 | -1) => {
    changeFollow(false, lastNumber);
    setChosen(hits[(at + step + hits.length) % hits.length] ?? null);
  };
  // A browser takes a text for the clipboard best at once, in the press itself; a long one would make the page wait.
  const copyAll = async () => {
    copy(lines.length <= copiedAtOnce ? logText(lines) : await gatherText(lines, lineText));
  };
  const toTop = () => {
    changeFollow(false, lastNumber);
    if (scroller.current) scroller.current.scrollTop = 0;
  };

  const onKeys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowUp' || event.key === 'PageUp') changeFollow(false, lastNumber);
    const acts: Record<string, () => void> = {
      f: () => changeFollow(!follow, lastNumber),
      w: () => setWrap(!wrap),
      c: () => void copyAll(),
      '/': () => search.current?.focus(),
      Home: toTop,
      End: () => setFollow(true),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <div className={classNames(searchFieldStyles.search, styles.search)}>
          <Icon name="search" size={14} />
          <input
            ref={search}
            className={controlsStyles.input}
            type="search"
            aria-label={`Search ${label}`}
            placeholder="Search the log"
            autoComplete="off"
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value);
              setChosen(null);
              changeFollow(false, lastNumber);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              stepBy(event.shiftKey ? -1 : 1);
            }}
          />
        </div>
        <span
          className={classNames(typography.extraSmall, typography.subtle, typography.nowrap)}
          role="status"
        >
          {found.words === ''
            ? `${formatCount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`
            : hits.length > 0
              ? `${formatCount(at + 1)} of ${formatCount(hits.length)}`
              : found.searching
                ? 'Searching'
                : 'No hits'}
        </span>
        <span className={classNames(layout.row, layout.atEnd, styles.buttons)}>
          {times && (
            <Button
              size="sm"
              variant="ghost"
              icon="clock"
              aria-pressed={withTimes}
              onClick={() => setWithTimes(!withTimes)}
            >
              Times
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            icon="follow"
            aria-pressed={follow}
            onClick={() => changeFollow(!follow, lastNumber)}
          >
            Follow
          </Button>
          <Button size="sm" variant="ghost" icon="wrap" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
            Wrap
          </Button>
          <Button
            size="sm"
            variant="ghost"
            icon={copied === 'copied' ? 'check' : 'copy'}
            onClick={() => void copyAll()}
          >
            {copied === 'copied' ? 'Copied' : 'Copy'}
          </Button>
          {children}
        </span>
      </div>
      <div className={styles.frame}>
        <div
          ref={scroller}
          className={classNames(logStyles.log, styles.lines, !wrap && logStyles.unwrapped)}
          role="log"
          aria-live="off"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reachable by keyboard
          tabIndex={0}
          onKeyDown={onKeys}
          // Before the next lines take the view back to the end.
          onWheel={({ deltaY }) => deltaY < 0 && changeFollow(false, lastNumber)}
          onTouchMove={() => changeFollow(false, lastNumber)}
        >
          {dropped && (
            <div className={classNames(logStyles.line, logStyles.rule)}>Earlier lines were dropped</div>
          )}
          {lines.length === 0 && empty && (
            <div className={classNames(logStyles.line, logStyles.rule)}>{empty}</div>
          )}
          <LogRows
            scroller={scroller}
            lines={lines}
            words={found.words}
            withTimes={withTimes}
            wrap={wrap}
            follow={follow}
            onScrolled={onScrolled}
            target={current}
          />
          {note && lines.length > 0 && (
            <div className={classNames(logStyles.line, logStyles.rule)}>{note}</div>
          )}
          {live && (
            <div className={logStyles.line} aria-hidden="true">
              <span className={logStyles.number}>{lastNumber + 1}</span>
              <span>
                <span className={logStyles.caret} />
              </span>
            </div>
          )}
        </div>
        {fresh > 0 && (
          <button type="button" className={styles.newLines} onClick={() => setFollow(true)}>
            <Icon name="arrowdown" size={14} />
            {formatCount(fresh)} new {fresh === 1 ? 'line' : 'lines'}
          </button>
        )}
      </div>
    </div>
  );
}
