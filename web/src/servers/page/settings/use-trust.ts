import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { connectTo } from '../../../connections/connect.ts';
import {
  forgetServer,
  readTrust,
  type ServerTrust,
  setAskEachTime,
  withdrawPlain,
} from '../../../connections/server-trust.ts';
import { call } from '../../../data/call.ts';

const trustKey = (serverId: string) => ['trust', serverId];

/** This browser's own knowledge of a server, and the ways to change it. */
export function useTrust(server: Server) {
  const client = useQueryClient();
  const { data: trust } = useQuery({
    queryKey: trustKey(server.id),
    queryFn: () => readTrust(server.id),
    staleTime: 0,
  });
  const readAgain = () => client.invalidateQueries({ queryKey: trustKey(server.id) });
  return {
    trust,
    async askEachTime(ask: boolean) {
      // The switch shows its new state at once. Afterwards the stored state is read again, on success and on
      // failure.
      client.setQueryData(trustKey(server.id), (kept: ServerTrust | undefined) =>
        kept ? { ...kept, askEachTime: ask } : kept,
      );
      await setAskEachTime(server.id, ask).finally(readAgain);
    },
    /** After this the next connection to an older server asks again. */
    async withdrawPlain() {
      await withdrawPlain(server.id).finally(readAgain);
    },
    /**
     * Forgets the accepted key and connects again. The page then asks the user about the key that the server
     * presents.
     */
    async repin() {
      await call('DELETE /api/servers/:id/connection', { params: { id: server.id } });
      const { askEachTime } = await readTrust(server.id);
      await forgetServer(server.id);
      if (askEachTime) await setAskEachTime(server.id, true);
      const end = await connectTo(client, server, server.username);
      await readAgain();
      return end;
    },
  };
}
