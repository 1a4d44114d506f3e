import type { Database } from '@homeport/contract/databases/schema';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { useReadByServer } from '../use-read-by-server.ts';

const route = 'GET /api/databases/:id/dumps';

/** The dumps as the server lists them. They are listed again when work on the database has ended. */
export const useDumps = ({ id }: Pick<Database, 'id'>, enabled: boolean) =>
  useReadByServer(route, id, enabled, (client, signal) =>
    callOnServer(client, route, { params: { id } }, { quiet: true, signal }),
  );
