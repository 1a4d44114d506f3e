import { installScriptArgv } from '@homeport/agent';
import { consoleUser } from '@homeport/contract/connections/facts';
import { quoteArgv } from '@homeport/contract/quoting';
import { makeAgentToken, type Owner, type Store } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import type { AgentDeps } from './install/install-agent.ts';
import { recordServerFacts } from './server-changes.ts';

export type AgentLineDeps = Pick<AgentDeps, 'reportUrl' | 'pings'> & {
  store: Pick<Store, 'read' | 'transact'>;
};

/** Where a machine fetches the installer, below the console's address. Everybody may read it: it holds no secret. */
const scriptPath = '/api/agent/install.sh';

/**
 * Gives a read-only server a new token for its agent, and returns the line that installs the agent with it. The store
 * keeps the token's hash alone, and an earlier token stops working.
 *
 * The token is a word of `printf`, which every shell runs itself, so it stands in no argument list of a process. It
 * comes after the script, and only if the script arrived: `bash` reads both from its standard input.
 */
export async function makeAgentLine(
  { store, reportUrl, pings }: AgentLineDeps,
  owner: Owner,
  id: string,
  signal: AbortSignal,
): Promise<string> {
  const found = await store.read(owner, (scope) => findServer(scope, id));
  refuseManaged(found);
  // No transaction waits for DNS.
  const url = await reportUrl(owner, found, signal);
  const { token, hash } = makeAgentToken();
  await store.transact(owner, async (scope) => {
    refuseManaged(await findServer(scope, id));
    await recordServerFacts(scope.db, owner, id, { agent_token_hash: hash });
  });
  const fetchScript = quoteArgv(['curl', '-fsS', `${url.replace(/\/$/, '')}${scriptPath}`]);
  const install = quoteArgv(['sudo', ...installScriptArgv({ url, user: consoleUser, pings })]);
  return `{ ${fetchScript} && ${quoteArgv(['printf', '%s\\n', token])}; } | ${install}`;
}

function refuseManaged({ simulated, credential }: Pick<ServerRow, 'simulated' | 'credential'>): void {
  if (!simulated && credential === null) return;
  throw new ProblemError(
    'conflict',
    'The line is for read-only servers. On this server, Homeport installs the agent.',
  );
}
