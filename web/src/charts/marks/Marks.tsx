import type { ChartMark, ChartMarks } from '@homeport/contract/charts/schema';
import { useState } from 'react';
import { openOperation } from '../../operations/open-operation.ts';
import { Button, IconButton } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon, type IconName } from '../../ui/picture/Icon.tsx';
import { formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from '../charts.module.css';
import type { Frame } from '../plot/RangeLines.tsx';
import { groupMarks, markText } from './mark-groups.ts';

/** What happened in the range: buttons over the plot, each with a card; work leads to its log. */
export function Marks({ marks, frame }: { marks: ChartMarks; frame: Frame }) {
  const [open, setOpen] = useState<number | null>(null);
  const groups = groupMarks(marks.marks, frame.from, frame.to);
  const shown = groups.find((group) => group.marks.some(({ at }) => at === open));
  if (groups.length === 0) return null;
  return (
    <section className={styles.marks} aria-label="What happened in this range">
      {groups.map((group) => {
        const [first] = group.marks;
        const name = group.marks.length === 1 && first ? markText(first) : `${group.marks.length} events`;
        const bad = group.marks.some(isBad);
        return (
          <button
            key={group.across}
            type="button"
            className={classNames(styles.mark, bad && styles.bad)}
            style={{ left: `${group.across}%` }}
            aria-label={name}
            title={name}
            aria-expanded={group === shown}
            onClick={() => setOpen(group === shown ? null : (first?.at ?? null))}
          >
            <Icon name={first ? iconOf(first) : 'flag'} size={14} />
          </button>
        );
      })}
      {shown && (
        <div className={styles.card} style={shown.across > 50 ? { right: 0 } : { left: 0 }}>
          <ul>
            {shown.marks.map((mark) => (
              <MarkLine key={mark.id} mark={mark} />
            ))}
          </ul>
          <IconButton label="Close" icon="x" size="sm" variant="ghost" onClick={() => setOpen(null)} />
        </div>
      )}
    </section>
  );
}

export function MarkLine({ mark }: { mark: ChartMark }) {
  return (
    <li>
      <Icon name={iconOf(mark)} size={16} />
      <span>
        <b className={typography.strong}>{markText(mark)}</b>
        <small>
          <Time at={mark.at} as="datetime" />
          {mark.endedAt !== null && `, ${formatDuration(mark.endedAt - mark.at)}`}
          {mark.kind === 'work' && mark.state !== 'succeeded' && `, ${mark.state}`}
        </small>
      </span>
      {mark.kind === 'work' && (
        <Button size="sm" variant="ghost" icon="log" onClick={() => openOperation(mark.id)}>
          Log
        </Button>
      )}
    </li>
  );
}

const isBad = (mark: ChartMark) =>
  mark.kind === 'incident' || mark.state === 'failed' || mark.state === 'interrupted';

function iconOf(mark: ChartMark): IconName {
  if (isBad(mark)) return 'danger';
  if (mark.kind === 'work' && mark.work.includes('restart')) return 'refresh';
  return mark.kind === 'work' && mark.work.startsWith('app.deploy') ? 'upload' : 'settings';
}
