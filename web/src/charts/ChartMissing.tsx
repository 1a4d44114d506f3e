import { problemText } from '../data/problem-text.ts';
import { Page } from '../page-frame/Page.tsx';
import { Empty, Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';

interface ChartMissingProps {
  what: 'server' | 'app' | 'database';
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
}

/** In place of a chart whose record is not known, or not known yet. */
export function ChartMissing({ what, query }: ChartMissingProps) {
  return (
    <Page title="Chart">
      <Panel body="flush" busy={query.isPending}>
        {query.isPending ? (
          <SkeletonRows />
        ) : query.error ? (
          <Failed title={`The ${what} could not be loaded`} onRetry={() => void query.refetch()} level={2}>
            {problemText(query.error)}
          </Failed>
        ) : (
          <Empty title={`No ${what} here`}>
            You have no {what} under this address. It may have been removed.
          </Empty>
        )}
      </Panel>
    </Page>
  );
}
