import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { RouteParsed } from '@homeport/contract/routes';
import { makeLongname } from '@homeport/dokku';
import type { OwnerRead } from '@homeport/store';
import { wrongField } from '../../http/problem.ts';
import { findServer, type ServerRow } from '../../records/server-record.ts';
import { refuseClosed } from '../../remote/server-access.ts';
import { installerOf } from '../state/database-plugins.ts';
import type { CreationInput } from './creation-input.ts';

/** Checks the request and settles the database’s name on the server. No command runs yet. */
export async function prepareCreation(
  scope: OwnerRead,
  body: RouteParsed<'POST /api/databases'>['body'],
): Promise<{ server: ServerRow; input: CreationInput }> {
  const server = await findServer(scope, body.serverId).catch(() => {
    throw wrongField('serverId', 'Choose one of your servers.');
  });
  refuseClosed(server);
  if (server.metal)
    throw wrongField(
      'serverId',
      'This server is used without Dokku. Choose another, or install Dokku on it.',
    );
  if (body.installPlugin && installerOf(server) === null)
    throw wrongField('installPlugin', needsRoot(databaseTypeOf(body.type).title));
  return {
    server,
    input: {
      serverId: server.id,
      name: body.name,
      type: body.type,
      longname: makeLongname(body.name),
      imageVersion: body.imageVersion ?? null,
      memoryMb: body.memoryMb ?? null,
      installPlugin: body.installPlugin,
    },
  };
}

const needsRoot = (title: string) =>
  `Dokku’s plugin for ${title} is installed as root, which this server’s account may not become. Install the plugin on the server yourself, or link the server as root.`;
