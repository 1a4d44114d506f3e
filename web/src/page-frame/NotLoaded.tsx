import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { useFocusAfter } from '../ui/feedback/use-focus-after.ts';
import { Time } from '../ui/text/Time.tsx';
import styles from './NotLoaded.module.css';

interface Query {
  data: unknown;
  dataUpdatedAt: number;
  error: Error | null;
  isPending: boolean;
  refetch: () => unknown;
}

interface NotLoadedProps {
  query: Query;
  /** "The passkeys could not be loaded" */
  title: string;
  /** As many stand here until the first answer. */
  rows?: number;
}

/**
 * What stands in a section while it has nothing to show: a skeleton, then why it could not be loaded, and Try again. A section that
 * shows what was loaded before says in one line how old that is.
 */
export function NotLoaded({ query, title, rows = 3 }: NotLoadedProps) {
  const [kept, keep] = useState<Error | null>(null);
  const failure = failureOf(query, kept);
  const next = query.data === undefined ? failure : null;
  if (next !== kept) keep(next);
  if (failure === null) return query.isPending ? <SkeletonRows rows={rows} /> : null;
  if (query.data !== undefined) return <Old query={query} title={title} />;
  return (
    <Failed title={title} onRetry={() => void query.refetch()}>
      {problemText(failure)}
    </Failed>
  );
}

/**
 * Why the last reading failed. While a section without data reads again, its query forgets that; the failure stays until there is
 * an answer, and with it the button that has the focus.
 */
export function failureOf({ data, error }: Pick<Query, 'data' | 'error'>, kept: Error | null): Error | null {
  return error ?? (data === undefined ? kept : null);
}

function Old({ query: { dataUpdatedAt, refetch }, title }: Pick<NotLoadedProps, 'query' | 'title'>) {
  const line = useFocusAfter<HTMLParagraphElement>();
  return (
    <p ref={line} className={styles.stale} role="status">
      {title} again. Shown is what was read on <Time at={dataUpdatedAt} as="datetime" />.{' '}
      <LinkButton onClick={() => void refetch()}>Try again</LinkButton>
    </p>
  );
}
