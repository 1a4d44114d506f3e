import { problemText } from '../data/api-problem.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { Failed } from '../ui/feedback/States.tsx';
import { Time } from '../ui/text/Time.tsx';
import styles from './NotLoaded.module.css';

interface NotLoadedProps {
  query: { data: unknown; dataUpdatedAt: number; error: Error | null; refetch: () => unknown };
  /** "The passkeys could not be loaded" */
  title: string;
}

/** Why a section has nothing to show, and Try again. A section that shows what was loaded before says in one line how old that is. */
export function NotLoaded({ query: { data, dataUpdatedAt, error, refetch }, title }: NotLoadedProps) {
  if (error === null) return null;
  if (data !== undefined)
    return (
      <p className={styles.stale} role="status">
        {title} again. Shown is what was read on <Time at={dataUpdatedAt} as="datetime" />.{' '}
        <LinkButton onClick={() => void refetch()}>Try again</LinkButton>
      </p>
    );
  return (
    <Failed title={title} onRetry={() => void refetch()}>
      {problemText(error)}
    </Failed>
  );
}
