import { installScriptArgv } from '@homeport/agent';
import { quoteArgv } from '@homeport/contract/quoting';
import { makeAgentToken, type OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { findServer } from '../records/server-record.ts';
import { consoleUser } from '../remote/server-access.ts';
import type { AgentDeps } from './install/install-agent.ts';
import { recordServerFacts } from './server-changes.ts';

export type AgentLineDeps = Pick<AgentDeps, 'reportUrl' | 'pings'>;

/** Where a machine fetches the installer, below the console's address. Everybody may read it: it holds no secret. */
const scriptPath = '/api/agent/install.sh';

/**
 * Gives a read-only server a new token for its agent, and returns the line that installs the agent with it. The store
 * keeps the token's hash alone, and an earlier token stops working.
 *
 * The token is a word of `printf`, which every shell runs itself, so it stands in no argument list of a process. It
 * comes after the script, and only if the script arrived: `bash` reads both from its standard input.
 */
export async function makeAgentLine(scope: OwnerWrite, id: string, deps: AgentLineDeps): Promise<string> {
  const server = await findServer(scope, id);
  if (server.simulated || server.credential !== null)
    throw new ProblemError(
      'conflict',
      'The line is for read-only servers. On this server, Homeport installs the agent.',
    );
  const url = deps.reportUrl(server);
  const { token, hash } = makeAgentToken();
  await recordServerFacts(scope.db, scope.owner, id, { agent_token_hash: hash });
  const fetchScript = quoteArgv(['curl', '-fsS', `${url.replace(/\/$/, '')}${scriptPath}`]);
  const install = quoteArgv(['sudo', ...installScriptArgv({ url, user: consoleUser, pings: deps.pings })]);
  return `{ ${fetchScript} && ${quoteArgv(['printf', '%s\\n', token])}; } | ${install}`;
}
