import { Button } from '../ui/button/Button.tsx';
import styles from './terminals.module.css';

interface SessionOverProps {
  /** Why the session is over; null: it is not. */
  why: string | null;
  onAgain: () => void;
}

/** A row under the screen once the session is over. Its place is there before, so that its text is announced. */
export function SessionOver({ why, onAgain }: SessionOverProps) {
  return (
    <div className={why === null ? undefined : styles.over}>
      <span role="status">{why !== null && `The session ended: ${why}`}</span>
      {why !== null && (
        <Button size="sm" onClick={onAgain}>
          New session
        </Button>
      )}
    </div>
  );
}
