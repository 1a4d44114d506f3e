import { Time } from '../text/Time.tsx';
import { Banner, LinkButton } from './Banner.tsx';

export interface StaleListProps {
  /** What the list has, in the plural: `apps`. */
  what: string;
  /** When the shown list was loaded, in epoch milliseconds. */
  loadedAt: number;
  onRetry: () => void;
}

/** Says that a list could not be loaded again, and how old the shown one is. */
export function StaleList({ what, loadedAt, onRetry }: StaleListProps) {
  return (
    <Banner tone="warn">
      <p>
        The {what} could not be loaded again. Showing the list from <Time at={loadedAt} as="datetime" />.{' '}
        <LinkButton onClick={onRetry}>Try again</LinkButton>
      </p>
    </Banner>
  );
}
