import { isDeployed } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { closedOnApp } from '../closed-on-app.ts';
import type { Destroyed } from './manage/DestroyDialog.tsx';

const show = { onDone: (operation: Operation) => openOperation(operation.id) };
const orTell = { ...show, onFailed: (error: Error) => toast.bad(problemText(error)) };

/** The actions on an app. Each is an operation with a window. `refusal` says why none is possible now. */
export function useAppActs(app: App, server: Pick<Server, 'simulated' | 'credential'>) {
  const start = useAct('POST /api/apps/:id/start', orTell);
  const stop = useAct('POST /api/apps/:id/stop', orTell);
  const restart = useAct('POST /api/apps/:id/restart', orTell);
  const rebuild = useAct('POST /api/apps/:id/rebuild', orTell);
  const destroy = useAct('POST /api/apps/:id/destroy', show);
  const params = { id: app.id };
  return {
    refusal: closedOnApp(app, server) ?? impossible(app),
    busy: [start, stop, restart, rebuild].some((act) => act.isPending),
    start: () => start.mutate({ params }),
    stop: () => stop.mutate({ params }),
    restart: () => restart.mutate({ params }),
    rebuild: () => rebuild.mutate({ params }),
    destroy: (also: Destroyed) => destroy.mutateAsync({ params, body: { confirmation: 'destroy', ...also } }),
  };
}

function impossible(app: App): string | null {
  return isDeployed(app) ? null : 'Nothing is deployed yet. Deploy first.';
}
