import type { DatabaseState } from '@homeport/contract/databases/facts';
import type { DatabaseEnding } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { ending, serviceName } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { Run } from '../../remote/run-command.ts';

/**
 * The state of a database whose own report has told `state`, without Homeport’s plugin. The report calls a crashed database and
 * a paused one `exited`. Docker tells the two apart where the account may ask it; otherwise how the database ended is unknown.
 */
export async function readEnd(
  run: Run,
  { type, longname }: { type: DatabaseTypeName; longname: string },
  state: DatabaseState,
): Promise<{ state: DatabaseState; ending: DatabaseEnding | null }> {
  if (state !== 'exited') return { state, ending: null };
  const ran = await run(ending.inspectEnding(type, serviceName(longname)), {
    accept: 'any',
    quiet: true,
  }).catch((error: unknown) => {
    // The console’s own account may not ask Docker.
    if (error instanceof ProblemError && error.code === 'not_allowed') return null;
    throw error;
  });
  const told = ran === null ? null : ending.readEnding(ran);
  return { state: ending.stateAfter(told), ending: told };
}
