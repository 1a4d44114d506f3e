import { memo, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { formatClock } from '../text/format.ts';
import { parseAnsi } from './ansi.ts';
import logStyles from './log.module.css';
import type { LogLine } from './log-lines.ts';
import { holdsWords } from './log-search.ts';

export interface LogRowProps {
  line: LogLine;
  /** The searched words in lower case. Hits are marked. */
  words: string;
  /** The user stepped to the hit in this line. */
  current: boolean;
  withTimes: boolean;
}

export const LogRow = memo(function LogRow({ line, words, current, withTimes }: LogRowProps) {
  if (line.kind === 'rule')
    return <div className={classNames(logStyles.line, logStyles.rule)}>{line.text}</div>;
  const hit = words !== '' && holdsWords(line, words);
  return (
    <div
      className={
        hit
          ? current
            ? classNames(logStyles.line, logStyles.hit, logStyles.current)
            : classNames(logStyles.line, logStyles.hit)
          : logStyles.line
      }
      data-line={hit ? line.number : undefined}
    >
      <span className={logStyles.number} aria-hidden="true">
        {line.number}
      </span>
      <span>
        {withTimes && line.at ? <span className={logStyles.black}>{formatClock(line.at)} </span> : null}
        {parseAnsi(line.text).map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a line never move
          <span key={index} className={lookClass(span.look)}>
            {marked(span.text, words)}
          </span>
        ))}
      </span>
    </div>
  );
});

const looks: Record<string, string | undefined> = {
  black: logStyles.black,
  red: logStyles.red,
  green: logStyles.green,
  yellow: logStyles.yellow,
  blue: logStyles.blue,
  magenta: logStyles.magenta,
  cyan: logStyles.cyan,
  white: logStyles.white,
  bold: logStyles.bold,
  dim: logStyles.dim,
  underlined: logStyles.underlined,
};

const lookClass = (look: string) =>
  look === '' ? undefined : classNames(...look.split(' ').map((name) => looks[name]));

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
