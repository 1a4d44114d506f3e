import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';

type Shown = Pick<Operation, 'kind' | 'state'>;

/** After its end the server may tell something new of the app. A destruction deletes the app and its operations, so there is nothing left to read. */
export const tellsNews = ({ kind, state }: Shown): boolean => kind !== 'app.destroy' && isOver(state);

/**
 * Kinds that replace an app's containers and leave no time of it in the app's record. A start and a stop are told by the record
 * itself.
 */
const replacing: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'app.create',
  'app.restart',
  'app.rebuild',
  'app.plan',
  'app.storage',
  'app.deploy-commit',
  'database.link',
  'database.unlink',
  'database.promote',
]);

/** After its end the app may have other containers. */
export const replacedContainers = ({ kind, state }: Shown): boolean => replacing.has(kind) && isOver(state);
