import type { OperationKind } from '@homeport/contract/operations';
import { creationLook, destructionLook } from '../apps/operation-looks.tsx';
import type { OperationLook } from './operation-look.ts';

/** The kinds whose window is more than steps and a log. */
export const looks: Partial<Record<OperationKind, OperationLook>> = {
  'app.create': creationLook,
  'app.destroy': destructionLook,
};
