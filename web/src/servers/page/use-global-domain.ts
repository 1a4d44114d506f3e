import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { globalDomainLook } from './global-domain-look.ts';

/** The two answers about a server's own global domain: it stays, or an operation replaces it. */
export function useGlobalDomain(server: Server) {
  const configuration = useApi('GET /api/configuration').data;
  const look = configuration ? globalDomainLook(server, configuration.appDomain) : null;
  const onFailed = (error: Error) => toast.bad(problemText(error));
  const keep = useAct('POST /api/servers/:id/global-domain/keep', {
    onDone: () => toast.ok(`${server.name} keeps ${look?.found ?? 'its global domain'}.`),
    onFailed,
  });
  const replace = useAct('POST /api/servers/:id/global-domain', {
    onDone: (operation) => openOperation(operation.id),
    onFailed,
  });
  const params = { id: server.id };
  return {
    look,
    keep: () => keep.mutate({ params }),
    keeping: keep.isPending,
    replace: () => replace.mutate({ params }),
    replacing: replace.isPending,
  };
}
