import { formatAgo, formatDate, formatDateTime, formatIso, noData } from './format.ts';
import typography from './typography.module.css';
import { useNow } from './use-now.ts';

export interface TimeProps {
  /** Epoch milliseconds. null reads "no data". */
  at: number | null | undefined;
  /** `ago` counts up by itself. */
  as?: 'ago' | 'date' | 'datetime';
}

export function Time({ at, as = 'ago' }: TimeProps) {
  const now = useNow(as === 'ago' ? 10_000 : null);
  if (at === null || at === undefined) return <span className={typography.subtle}>{noData}</span>;
  const text = as === 'ago' ? formatAgo(at, now) : as === 'date' ? formatDate(at) : formatDateTime(at);
  return (
    <time dateTime={formatIso(at)} title={formatIso(at)}>
      {text}
    </time>
  );
}
