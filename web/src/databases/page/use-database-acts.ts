import type { Database } from '@homeport/contract/databases/schema';
import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { toast } from '../../ui/feedback/toasts.ts';

const show = { onDone: (operation: Operation) => openOperation(operation.id) };
const orTell = { ...show, onFailed: (error: Error) => toast.bad(problemText(error)) };

export type DatabaseActs = ReturnType<typeof useDatabaseActs>;

/** The actions on a database. Each is an operation with a window. `refusal` says why none is possible now. */
export function useDatabaseActs(
  { id }: Pick<Database, 'id'>,
  server: Pick<Server, 'simulated' | 'credential'>,
) {
  const start = useAct('POST /api/databases/:id/start', orTell);
  const stop = useAct('POST /api/databases/:id/stop', orTell);
  const restart = useAct('POST /api/databases/:id/restart', orTell);
  const work = useApi('GET /api/operations', { query: { databaseId: id } }).data;
  const params = { id };
  return {
    refusal: closedTexts(server)?.act ?? null,
    busy: [start, stop, restart].some((act) => act.isPending),
    /** The work on the database that is not over. */
    underWay: work?.find(({ state }) => !isOver(state)) ?? null,
    start: () => start.mutate({ params }),
    stop: () => stop.mutate({ params }),
    restart: () => restart.mutate({ params }),
  };
}
