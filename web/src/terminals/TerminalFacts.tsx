import { Button } from '../ui/button/Button.tsx';
import { Icon } from '../ui/picture/Icon.tsx';
import { useNow } from '../ui/text/use-now.ts';
import type { TerminalView } from './terminal-view.ts';
import styles from './terminals.module.css';

interface TerminalFactsProps {
  view: TerminalView;
  /** The app and its server. */
  where: string;
  onExtend: () => void;
}

/** Where a terminal is and how long it lasts. What ends it soon is announced. */
export function TerminalFacts({ view, where, onExtend }: TerminalFactsProps) {
  const now = useNow(10_000);
  const { phase, endsAt, soon, replacing } = view;
  const minutes = endsAt === null ? null : Math.max(1, Math.round((endsAt - now) / 60_000));
  return (
    <>
      <span className={styles.fact}>{where}</span>
      {phase === 'opening' && (
        <span className={styles.fact} role="status">
          Opening…
        </span>
      )}
      {phase === 'open' && minutes !== null && soon === null && (
        <span className={styles.fact}>
          <Icon name="clock" size={14} />
          {minutes} min left
        </span>
      )}
      {phase === 'open' && (
        <span className={styles.warning} role="status">
          {replacing && 'Work on the app has begun that will end this session.'}
          {soon !== null && ` ${soonText[soon]} in about ${minutes} min.`}
        </span>
      )}
      {phase === 'open' && soon === 'time' && (
        <Button size="sm" onClick={onExtend}>
          Add an hour
        </Button>
      )}
    </>
  );
}

const soonText = {
  idle: 'Nobody types: the session ends',
  time: 'The session’s time ends',
} as const;
