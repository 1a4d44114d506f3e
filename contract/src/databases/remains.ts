import { canRunAgain } from '../operations/facts.ts';
import type { Operation } from '../operations/schema.ts';

/**
 * Whether a creation that ended early may have left a database on its server, which nobody has seen and whose name is taken
 * there. The creation says so in its result.
 */
export const mayHaveLeftRemains = ({
  kind,
  state,
  databaseId,
  result,
}: Pick<Operation, 'kind' | 'state' | 'databaseId' | 'result'>): boolean =>
  kind === 'database.create' && canRunAgain(state) && databaseId === null && result.remains === true;
