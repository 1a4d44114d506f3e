import type { ConsoleBackups } from '@homeport/contract/console/schema';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeyOf } from '../../data/api-query.ts';
import { useAct } from '../../data/use-api.ts';

const queryKey = queryKeyOf('GET /api/console/backups');

/** Sets the plan. The page shows it before `onSet` is called: the next button asks for a key again where it knows none. */
export function useSetPlan(onSet: () => void) {
  const client = useQueryClient();
  return useAct('PUT /api/console/backups/plan', {
    onDone: (plan) => {
      // A read that began before the change would bring back the older plan.
      void client.cancelQueries({ queryKey, exact: true });
      client.setQueryData<ConsoleBackups>(queryKey, (shown) => shown && { ...shown, plan });
      onSet();
    },
  });
}
