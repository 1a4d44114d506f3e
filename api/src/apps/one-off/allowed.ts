import { ProblemError } from '../../http/problem.ts';
import type { ServerRow } from '../../records/server-record.ts';

/** Refuses a new command or terminal where the server's owner has not allowed both, or allows them no longer. */
export function requireAllowed(server: Pick<ServerRow, 'commands_allowed' | 'name'>): void {
  if (server.commands_allowed) return;
  throw new ProblemError(
    'not_allowed',
    `Commands and terminals are not allowed in the apps of ${server.name}.`,
    {
      recovery: 'Allow them in the settings of the server’s page. Your password or passkey is asked for.',
    },
  );
}
