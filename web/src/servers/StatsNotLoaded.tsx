import { Banner, LinkButton } from '../ui/feedback/Banner.tsx';
import { formatClock } from '../ui/text/format.ts';
import type { useFleet } from './use-fleet.ts';

/** Above a list of servers whose stats could not be read, or not read again. */
export function StatsNotLoaded({ dumps }: { dumps: ReturnType<typeof useFleet>['dumps'] }) {
  return (
    <Banner tone="warn">
      Stats could not be loaded.{' '}
      {dumps.data && `Showing the values from ${formatClock(dumps.dataUpdatedAt)}. `}
      <LinkButton onClick={() => void dumps.refetch()}>Try again</LinkButton>
    </Banner>
  );
}
