import { canBeCancelled, lockedAtMostMs, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { commandLook, creationLook, destructionLook } from '../apps/operation-looks.tsx';
import { databaseCreationLook, databaseDeletionLook, dumpLook } from '../databases/operation-looks.tsx';
import type { OperationLook } from '../operations/operation-look.ts';
import { installLook } from '../servers/install-look.ts';

/** The operation kinds whose window has more than steps and a log. */
export const looks: Partial<Record<OperationKind, OperationLook>> = {
  'server.install': installLook,
  'server.add-dokku': installLook,
  'app.create': creationLook,
  'app.destroy': destructionLook,
  'app.run': commandLook,
  'database.create': databaseCreationLook,
  'database.delete': databaseDeletionLook,
  'database.dump': dumpLook,
};

/**
 * Whether the window offers to cancel. A locked window has no other way out, so it offers that also of work that takes long. A
 * one-off command is a person's own, and can be ended at any time.
 */
export function offersCancel(
  { kind, state, startedAt }: Pick<Operation, 'kind' | 'state' | 'startedAt'>,
  now: number,
): boolean {
  if (canBeCancelled(state) || (kind === 'app.run' && state === 'running')) return true;
  const isLong = startedAt !== null && now - startedAt >= lockedAtMostMs;
  return state === 'running' && isLong && looks[kind]?.locked === true;
}
