import type { CreateDatabase } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { call } from '../../data/call.ts';
import { appsUser } from '../../on-server/server-accounts.ts';
import { useCreation } from '../../operations/use-creation.ts';

/** Connects to the server and creates the database on it. `installer`: the login that installs a missing plugin. */
export function useCreateDatabase() {
  const { create, ...state } = useCreation();
  return {
    ...state,
    create: (server: Server, body: CreateDatabase, installer: string | null) =>
      create({
        kind: 'database.create',
        name: body.name,
        server,
        users: [...new Set([appsUser(server), ...(installer === null ? [] : [installer])])],
        send: () => call('POST /api/databases', { body }),
      }),
  };
}
