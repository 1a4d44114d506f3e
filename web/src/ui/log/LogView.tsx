import {
  type KeyboardEvent,
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../Button.tsx';
import { formatCount } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { useCopy } from '../use-copy.ts';
import { LogRow } from './LogRow.tsx';
import { findLines, type LogLine, logText } from './log-lines.ts';

const VirtualLines = lazy(async () => ({ default: (await import('./VirtualLines.tsx')).VirtualLines }));

const virtualOver = 1_000;
const atEndWithinPx = 24;

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
}

/** Text only; new lines are not spoken. Follow stays on until one scrolls up. */
export function LogView({ label, lines, dropped = false, live = false, times = false, empty }: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [step, setStep] = useState(0);
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(true);
  const [withTimes, setWithTimes] = useState(false);
  const [seenNumber, setSeenNumber] = useState(0);
  const { state: copied, copy } = useCopy();

  const wanted = useDeferredValue(words);
  const found = useMemo(() => findLines(lines, wanted), [lines, wanted]);
  const hits = useMemo(() => new Set(found), [found]);
  const current =
    found.length === 0 ? null : (found[((step % found.length) + found.length) % found.length] ?? null);
  const lastNumber = lines.at(-1)?.number ?? 0;
  const fresh = follow ? 0 : Math.max(0, lastNumber - seenNumber);
  const virtual = lines.length > virtualOver;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new last line moves the view while Follow is on
  useEffect(() => {
    const element = scroller.current;
    if (!follow || !element) return;
    element.scrollTop = element.scrollHeight;
    setSeenNumber(lastNumber);
  }, [follow, lastNumber, wrap]);

  useEffect(() => {
    if (current === null || virtual) return;
    scroller.current?.querySelectorAll('.logline')[current]?.scrollIntoView({ block: 'nearest' });
  }, [current, virtual]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < atEndWithinPx;
    if (follow && !atEnd) setSeenNumber(lastNumber);
    setFollow(atEnd);
  };

  const onKeys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      f: () => setFollow(!follow),
      w: () => setWrap(!wrap),
      c: () => copy(logText(lines)),
      '/': () => search.current?.focus(),
      End: () => setFollow(true),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  return (
    <div className="logview">
      <div className="logbar">
        <div className="find">
          <Icon name="search" size={14} />
          <input
            ref={search}
            className="input"
            type="search"
            aria-label={`Search ${label}`}
            placeholder="Search the log"
            autoComplete="off"
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value);
              setStep(0);
              setFollow(false);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              setStep(step + (event.shiftKey ? -1 : 1));
            }}
          />
        </div>
        <span className="xs subtle nowrap" role="status">
          {wanted === ''
            ? `${formatCount(lines.length)} lines`
            : found.length === 0
              ? 'No hits'
              : `${found.indexOf(current ?? -1) + 1} of ${found.length}`}
        </span>
        <span className="row end">
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
            onClick={() => setFollow(!follow)}
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
            onClick={() => copy(logText(lines))}
          >
            {copied === 'copied' ? 'Copied' : 'Copy'}
          </Button>
        </span>
      </div>
      <div className="logframe">
        <div
          ref={scroller}
          className={wrap ? 'log' : 'log nowrap'}
          role="log"
          aria-live="off"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reachable by keyboard
          tabIndex={0}
          onScroll={onScroll}
          onKeyDown={onKeys}
        >
          {dropped && <div className="logline rule">Earlier lines were dropped</div>}
          {lines.length === 0 && empty && <div className="logline rule">{empty}</div>}
          {virtual ? (
            <Suspense fallback={<div className="logline rule">Opening the log</div>}>
              <VirtualLines
                scroller={scroller}
                lines={lines}
                words={wanted}
                hits={hits}
                withTimes={withTimes}
                target={follow ? lines.length - 1 : current}
              />
            </Suspense>
          ) : (
            lines.map((line, index) => (
              <LogRow
                key={line.number}
                line={line}
                words={wanted}
                hit={hits.has(index)}
                withTimes={withTimes}
              />
            ))
          )}
          {live && (
            <div className="logline" aria-hidden="true">
              <span className="no">{lastNumber + 1}</span>
              <span>
                <span className="caret" />
              </span>
            </div>
          )}
        </div>
        {fresh > 0 && (
          <button type="button" className="logpill" onClick={() => setFollow(true)}>
            <Icon name="arrowdown" size={14} />
            {formatCount(fresh)} new {fresh === 1 ? 'line' : 'lines'}
          </button>
        )}
      </div>
    </div>
  );
}
