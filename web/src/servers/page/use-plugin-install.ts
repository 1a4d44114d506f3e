import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { toast } from '../../ui/feedback/toasts.ts';

/** Installs Homeport's own Dokku plugin on a server, or its newer version, and shows the operation. */
export function usePluginInstall(serverId: string) {
  const install = useAct('POST /api/servers/:id/plugin', {
    onDone: (operation) => openOperation(operation.id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return { start: () => install.mutate({ params: { id: serverId } }), isPending: install.isPending };
}
