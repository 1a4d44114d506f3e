import type { OperationKind } from '@homeport/contract/operations/facts';
import { creationLook, destructionLook } from '../apps/operation-looks.tsx';
import { databaseCreationLook, databaseDeletionLook } from '../databases/operation-looks.tsx';
import type { OperationLook } from '../operations/operation-look.ts';
import { installLook } from '../servers/install-look.ts';

/** The operation kinds whose window has more than steps and a log. */
export const looks: Partial<Record<OperationKind, OperationLook>> = {
  'server.install': installLook,
  'server.add-dokku': installLook,
  'app.create': creationLook,
  'app.destroy': destructionLook,
  'database.create': databaseCreationLook,
  'database.delete': databaseDeletionLook,
};
