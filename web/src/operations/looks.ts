import type { OperationKind } from '@homeport/contract/operations';
import type { OperationLook } from './operation-look.ts';

/** The kinds whose window is more than steps and a log. */
export const looks: Partial<Record<OperationKind, OperationLook>> = {};
