import { problemText } from '../data/problem-text.ts';
import { Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';

interface Query {
  isError: boolean;
  data: unknown;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

/** Stands in place of a form until everything that the form needs has loaded. */
export function FormNotReady({ queries }: { queries: readonly Query[] }) {
  const failed = queries.find((query) => query.isError && !query.data);
  return (
    <Panel busy={!failed} body="flush">
      {failed ? (
        <Failed
          title="The form could not be prepared"
          onRetry={() => queries.forEach((query) => void (query.isError && query.refetch()))}
        >
          {problemText(failed.error)}
        </Failed>
      ) : (
        <SkeletonRows />
      )}
    </Panel>
  );
}
