import { memo, type ReactNode } from 'react';
import { formatClock } from '../format.ts';
import { parseAnsi } from './ansi.ts';
import type { LogLine } from './log-lines.ts';
import { holdsWords } from './log-search.ts';

export interface LogRowProps {
  line: LogLine;
  /** In lower case; marked where they stand. */
  words: string;
  /** The hit that was stepped to. */
  current: boolean;
  withTimes: boolean;
}

export const LogRow = memo(function LogRow({ line, words, current, withTimes }: LogRowProps) {
  if (line.kind === 'rule') return <div className="logline rule">{line.text}</div>;
  const hit = words !== '' && holdsWords(line, words);
  return (
    <div
      className={hit ? (current ? 'logline hit now' : 'logline hit') : 'logline'}
      data-line={hit ? line.number : undefined}
    >
      <span className="no" aria-hidden="true">
        {line.number}
      </span>
      <span>
        {withTimes && line.at ? <span className="k">{formatClock(line.at)} </span> : null}
        {parseAnsi(line.text).map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a line never move
          <span key={index} className={span.className || undefined}>
            {marked(span.text, words)}
          </span>
        ))}
      </span>
    </div>
  );
});

function marked(text: string, words: string): ReactNode {
  if (words === '') return text;
  const lower = text.toLowerCase();
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(words); at >= 0; at = lower.indexOf(words, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + words.length)}</mark>);
    from = at + words.length;
  }
  return [...parts, text.slice(from)];
}
