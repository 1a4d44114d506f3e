import type { Operation } from '@homeport/contract/operations/schema';
import { forgetServer } from '../../../connections/server-trust.ts';

/** The operations of this page that remove a server, keyed by the server's id. */
const removals = new Map<string, string>();

/** Records that the user removes this server here. A removal without an operation is already complete. */
export async function noteRemoval(serverId: string, operation: Pick<Operation, 'id'> | null): Promise<void> {
  if (operation) removals.set(serverId, operation.id);
  else await forgetServer(serverId);
}

/**
 * Forgets the pin of a server that is no longer listed, if the user removed the server on this page. A list
 * alone never deletes a pin: after an empty answer of the console, the next connection would be a first
 * contact.
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
