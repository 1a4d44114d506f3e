import type { Operation } from '@homeport/contract/operations/schema';
import { forgetServer } from '../../../connections/server-trust.ts';

/** The operations of this page that remove a server, by the server's id. */
const removals = new Map<string, string>();

/** Notes that the person removes this server here. Without an operation the server is removed already. */
export async function noteRemoval(serverId: string, operation: Pick<Operation, 'id'> | null): Promise<void> {
  if (operation) removals.set(serverId, operation.id);
  else await forgetServer(serverId);
}

/**
 * Forgets the pin of a server that is no longer listed, if the person removed it on this page. A list alone never deletes
 * a pin: an empty answer of the console would make the next connection a first contact.
 */
export async function forgetIfRemovedHere(
  serverId: string,
  readOperation: (id: string) => Promise<Pick<Operation, 'state'>>,
): Promise<void> {
  const operationId = removals.get(serverId);
  if (operationId === undefined || (await readOperation(operationId)).state !== 'succeeded') return;
  removals.delete(serverId);
  await forgetServer(serverId);
}
