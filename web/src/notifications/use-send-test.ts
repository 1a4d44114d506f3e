import type { Destination } from '@homeport/contract/destinations/schema';
import { problemText } from '../data/problem-text.ts';
import { useAct } from '../data/use-api.ts';
import { toast } from '../ui/feedback/toasts.ts';

/** Sends a test to a destination and says what the service answered: for a button. */
export function useSendTest({ id, state }: Pick<Destination, 'id' | 'state'>) {
  const test = useAct('POST /api/destinations/:id/test', {
    onDone: ({ state: outcome, answer }) =>
      outcome === 'sent'
        ? toast.ok(`The test was sent. ${answer ?? ''}`)
        : toast.bad(`The test failed. ${answer ?? ''}`),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return {
    busy: test.isPending,
    busyLabel: 'Sending',
    disabledReason: state === 'off' ? 'Nothing is sent there while it is off' : null,
    onClick: () => test.mutate({ params: { id } }),
  };
}
