import type { Operation } from '@homeport/contract/operations/schema';
import { Banner } from '../ui/feedback/Banner.tsx';

/** What did not succeed in work that did. The steps are folded then, so the window says it beside the result. */
export function Warnings({ operation: { state, steps } }: { operation: Pick<Operation, 'state' | 'steps'> }) {
  const warned = state === 'succeeded' ? steps.filter((step) => step.state === 'warned') : [];
  if (warned.length === 0) return null;
  return (
    <Banner tone="warn">
      {warned.map(({ key, title, note }) => (
        <p key={key}>{note ?? title}</p>
      ))}
    </Banner>
  );
}
