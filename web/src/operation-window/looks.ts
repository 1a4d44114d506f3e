import type { OperationKind } from '@homeport/contract/operations';
import { creationLook, destructionLook } from '../apps/operation-looks.tsx';
import { installLook } from '../servers/install-look.ts';
import type { OperationLook } from './operation-look.ts';

/** The kinds whose window is more than steps and a log. */
export const looks: Partial<Record<OperationKind, OperationLook>> = {
  'server.install': installLook,
  'app.create': creationLook,
  'app.destroy': destructionLook,
};
