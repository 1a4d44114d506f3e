import type { RouteParsed } from '@homeport/contract/routes';
import { makeLongname } from '@homeport/dokku';
import type { OwnerRead } from '@homeport/store';
import type { z } from 'zod';
import { wrongField } from '../../http/problem.ts';
import { findServer, type ServerRow } from '../../records/server-record.ts';
import { refuseClosed } from '../../remote/server-access.ts';
import type { createAppInput } from './create-app.ts';

/** Checks the request and settles the app’s name on the server. No command runs yet. */
export async function prepareCreation(
  scope: OwnerRead,
  body: RouteParsed<'POST /api/apps'>['body'],
): Promise<{ server: ServerRow; input: z.output<typeof createAppInput> }> {
  const server = await findServer(scope, body.serverId).catch(() => {
    throw wrongField('serverId', 'Choose one of your servers.');
  });
  refuseClosed(server);
  if (server.metal)
    throw wrongField(
      'serverId',
      'This server is used without Dokku. Choose another, or install Dokku on it.',
    );
  await refuseUnknownKeys(scope, body.keyIds);
  return {
    server,
    input: {
      serverId: server.id,
      name: body.name,
      longname: makeLongname(body.name),
      plan: body.plan,
      keyIds: body.keyIds,
      httpsEmail: body.httpsEmail ?? null,
      watched: body.watched,
      begin: body.begin ?? null,
      ownDomain: body.ownDomain ?? null,
    },
  };
}

async function refuseUnknownKeys({ owner, db }: OwnerRead, keyIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(keyIds)];
  const rows = await db
    .selectFrom('keys')
    .select('id')
    .where('owner_id', '=', owner)
    .where('id', 'in', wanted)
    .execute();
  if (rows.length < wanted.length) throw wrongField('keyIds', 'Choose keys from your list.');
}
