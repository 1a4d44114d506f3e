import type { NewsPage, NewsPiece, ToldDestination } from '@homeport/contract/notifications/news-page';
import { PathLink } from '../../ui/button/PathLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Icon, type IconName } from '../../ui/picture/Icon.tsx';
import { formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { Acknowledge } from './Acknowledge.tsx';
import { MuteMenu } from './MuteMenu.tsx';
import styles from './news-page.module.css';
import { toldInWords } from './told-in-words.ts';

type Look = { icon: IconName; className: string | undefined };

const looks: Record<NewsPiece['severity'], Look> = {
  critical: { icon: 'danger', className: styles.danger },
  warning: { icon: 'warning', className: styles.warning },
  info: { icon: 'info', className: styles.info },
};
const over: Look = { icon: 'success', className: styles.over };

/** One piece of news: what happened and when, and behind a line each destination with its answer. */
export function NewsRow({ piece, subjects }: { piece: NewsPiece; subjects: NewsPage['subjects'] }) {
  const { text, at, page, state, severity, since, overAt, acknowledged, muted, told } = piece;
  const { icon, className } = state === 'resolved' ? over : looks[severity];
  return (
    <li>
      <Icon name={icon} className={className} />
      <div className={layout.grow}>
        <p>
          <PathLink path={page} className={typography.name}>
            {text}
          </PathLink>
        </p>
        <p className={classNames(typography.extraSmall, typography.subtle)}>
          <Time at={at} as="datetime" />
          {state === 'firing' && overAt !== null && `, over after ${formatDuration(overAt - since)}`}
        </p>
        {state === 'firing' && acknowledged !== null && (
          <p className={typography.extraSmall}>
            Acknowledged by {acknowledged.by}, <Time at={acknowledged.at} />
          </p>
        )}
        <Told told={told} muted={muted} />
      </div>
      <div className={styles.open}>
        {muted && <Badge>Muted</Badge>}
        {state === 'firing' && overAt === null && (
          <>
            {acknowledged === null && <Badge tone="warn">Open</Badge>}
            <Acknowledge piece={piece} />
          </>
        )}
        <MuteMenu piece={piece} subjects={subjects} />
      </div>
    </li>
  );
}

function Told({ told, muted }: Pick<NewsPiece, 'told' | 'muted'>) {
  if (told.length === 0)
    return <p className={classNames(typography.extraSmall, typography.subtle)}>{toldInWords(told, muted)}</p>;
  return (
    <details className={typography.extraSmall}>
      <summary>{toldInWords(told, muted)}</summary>
      <ul className={styles.told} aria-label="Destinations">
        {told.map((each) => (
          <li key={each.destinationId}>
            <span className={typography.strong}>{each.name}</span>: <Outcome told={each} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Outcome({
  told: { state, endedAt, dueAt, attempts, together, repeatedAt, answer },
}: {
  told: ToldDestination;
}) {
  const tries = attempts > 1 ? ` after ${attempts} tries` : '';
  switch (state) {
    case 'gathering':
      return dueAt === null ? (
        'not sent yet.'
      ) : (
        <>
          goes there <Time at={dueAt} as="datetime" />, if it still goes on and nobody has acknowledged it by
          then.
        </>
      );
    case 'waiting':
      return answer === null ? (
        'on its way.'
      ) : (
        <>
          {answer} The next try is due <Time at={dueAt} as="datetime" />.
        </>
      );
    case 'sent':
      return (
        <>
          sent <Time at={endedAt} as="datetime" />
          {together && ' together with other news'}
          {tries}. {answer}
          {repeatedAt !== null && (
            <>
              {' '}
              Repeated <Time at={repeatedAt} as="datetime" />.
            </>
          )}
        </>
      );
    case 'refused':
      return (
        <>
          given up <Time at={endedAt} as="datetime" />
          {tries}. {answer}
        </>
      );
    case 'unsent':
      return answer;
  }
}
