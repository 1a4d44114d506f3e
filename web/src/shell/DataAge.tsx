import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useLiveState } from '../data/live/live.ts';
import { IconButton } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { useNow } from '../ui/text/use-now.ts';
import styles from './DataAge.module.css';
import { dataAgeText } from './data-age-text.ts';
import { refreshNow } from './refresh.ts';

/**
 * Shows "Live" while changes stream in, and nothing while the stream is opening. Otherwise shows the age of
 * the oldest data on the page, with a warning when they are older than 5 minutes.
 */
export function DataAge() {
  const client = useQueryClient();
  const live = useLiveState();
  const now = useNow(5_000, Date.now);
  const fetching = useIsFetching({ type: 'active' }) > 0;
  const oldest = Math.min(
    ...client
      .getQueryCache()
      .findAll({ type: 'active' })
      .map((query) => query.state.dataUpdatedAt)
      .filter((at) => at > 0),
  );
  const { text, late } = dataAgeText(live, Number.isFinite(oldest) ? oldest : null, now);
  return (
    <span className={classNames(styles.age, layout.notOnPhone, late && styles.late)}>
      <IconButton
        label="Refresh now"
        icon="refresh"
        aria-busy={fetching || undefined}
        onClick={() => refreshNow(client)}
      />
      <span>{text}</span>
    </span>
  );
}
