import type { Notifications } from '@homeport/contract/notifications/routes';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/picture/Icon.tsx';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './by-email.module.css';

type Piece = Notifications['news'][number];

const icons: Record<Piece['state'], IconName> = {
  gathering: 'clock',
  waiting: 'clock',
  sent: 'check',
  refused: 'warning',
  unsent: 'info',
};

/** The latest news, with the delivery state of each. */
export function News({ news }: { news: Notifications['news'] }) {
  return (
    <ul className={styles.news} aria-label="News by e-mail">
      {news.map((piece) => (
        <li key={piece.id} className={piece.state === 'refused' ? styles.refused : undefined}>
          <Icon name={icons[piece.state]} />
          <div>
            <p className={typography.strong}>{piece.text}</p>
            <p className={classNames(typography.extraSmall, typography.subtle)}>
              <Time at={piece.at} as="datetime" />. <Outcome piece={piece} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Outcome({ piece: { state, sentAt, summary, answer } }: { piece: Piece }) {
  switch (state) {
    case 'gathering':
      return 'Not sent yet.';
    case 'waiting':
      return answer === null
        ? 'On its way.'
        : `Not sent yet. The console tries again soon. The mail server said: ${answer}`;
    case 'sent':
      return (
        <>
          Sent{summary && ' in a summary'} <Time at={sentAt} as="datetime" />. The mail server said: {answer}
        </>
      );
    case 'refused':
      return `The mail server refused the message: ${answer}`;
    case 'unsent':
      return `Not sent: ${answer}`;
  }
}
