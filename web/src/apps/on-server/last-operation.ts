import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';

type Shown = Pick<Operation, 'kind' | 'state'>;

/** After its end the server may tell something new of the app. A destruction deletes the app and its operations, so there is nothing left to read. */
export const tellsNews = ({ kind, state }: Shown): boolean => !silent.has(kind) && isOver(state);

/**
 * A one-off command changes nothing that Dokku tells of the app, a change of checks holds from the next deploy on, and one of keys brings
 * the server's own answer along.
 */
const silent: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'app.destroy',
  'app.run',
  'app.run-stop',
  'app.checks',
  'app.push-keys',
]);

/**
 * Kinds that replace the containers of an app while it runs. Dokku lets the old ones write on for a minute, and follows those that it
 * had when the log was opened. Deploys, starts and stops are told by the app's record.
 */
const replacing: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'app.restart',
  'app.plan',
  'app.storage',
  'app.process-rules',
  'database.link',
  'database.unlink',
  'database.promote',
]);

/** Kinds that replace some of an app's containers: the others go on, and so does the reading of their lines. */
const replacingSome: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'app.scale',
  'app.restart-process',
]);

export const replacedSome = ({ kind, state }: Shown): boolean => replacingSome.has(kind) && isOver(state);

/** After its end the app has new containers. Work that ended early may have left the old ones. */
export const replacedContainers = ({ kind, state }: Shown): boolean =>
  replacing.has(kind) && state === 'succeeded';
