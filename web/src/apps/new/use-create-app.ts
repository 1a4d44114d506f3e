import type { CreateApp } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { call } from '../../data/call.ts';
import { creationUsers } from '../../on-server/server-accounts.ts';
import { useCreation } from '../../operations/use-creation.ts';

/** Connects to the server and creates the app on it. */
export function useCreateApp() {
  const { create, ...state } = useCreation();
  return {
    ...state,
    create: (server: Server, body: CreateApp) =>
      create({
        kind: 'app.create',
        name: body.name,
        server,
        users: creationUsers(server),
        send: () => call('POST /api/apps', { body }),
      }),
  };
}
