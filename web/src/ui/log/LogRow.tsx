import { memo, type ReactNode } from 'react';
import { formatClock } from '../format.ts';
import { parseAnsi } from './ansi.ts';
import type { LogLine } from './log-lines.ts';

export interface LogRowProps {
  line: LogLine;
  words: string;
  hit: boolean;
  withTimes: boolean;
}

export const LogRow = memo(function LogRow({ line, words, hit, withTimes }: LogRowProps) {
  if (line.kind === 'rule') return <div className="logline rule">{line.text}</div>;
  return (
    <div className={hit ? 'logline hit' : 'logline'}>
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
  const wanted = words.toLowerCase();
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
