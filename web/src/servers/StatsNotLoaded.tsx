import { Banner, LinkButton } from '../ui/feedback/Banner.tsx';
import { formatWhen } from '../ui/text/format.ts';
import type { useFleet } from './use-fleet.ts';

/** Stands above a list of servers when the first or a later reading of their stats failed. */
export function StatsNotLoaded({ dumps }: { dumps: ReturnType<typeof useFleet>['dumps'] }) {
  return (
    <Banner tone="warn">
      Stats could not be loaded.{' '}
      {dumps.data && `Showing the values from ${formatWhen(dumps.dataUpdatedAt, Date.now())}. `}
      <LinkButton onClick={() => void dumps.refetch()}>Try again</LinkButton>
    </Banner>
  );
}
