import { type InstallOptions, installCommand } from '@homeport/agent';
import { consoleUser } from '@homeport/contract/connections/facts';
import { type Command, hostCommand } from '@homeport/dokku';
import { type Database, makeAgentToken, type Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext } from '../../operations/definition.ts';
import type { ServerRow } from '../../records/server-record.ts';
import { recordServerFacts } from '../server-changes.ts';

export type AgentDeps = {
  db: Kysely<Database>;
  /** The address that the server's agent posts to. Throws `unavailable` if the server cannot reach the console. */
  reportUrl(owner: Owner, server: Pick<ServerRow, 'ip' | 'port'>, signal: AbortSignal): Promise<string>;
  pings: Partial<Record<'eu' | 'us' | 'asia', string>>;
};

/**
 * Gives the server a new token and installs the agent with it; the store keeps the token's hash alone. The
 * old token stops working with the same change, so a token that leaked with an old disk is worth nothing.
 */
export async function installAgent(
  deps: AgentDeps,
  context: StepContext<{ serverId: string }>,
  server: ServerRow,
): Promise<void> {
  const sandboxRoot = typeof context.facts.sandboxRoot === 'string' ? context.facts.sandboxRoot : null;
  const { token, hash } = makeAgentToken();
  const options: InstallOptions = {
    url: await deps.reportUrl(context.owner, server, context.signal),
    user: sandboxRoot ? server.username : consoleUser,
    pings: deps.pings,
    ...(sandboxRoot
      ? {
          root: `${sandboxRoot}/machine`,
          scheduler: 'none' as const,
          cgroupRoot: `${sandboxRoot}/machine/sys/fs/cgroup`,
          dmiRoot: `${sandboxRoot}/machine/sys/class/dmi/id`,
          backupRuns: `${sandboxRoot}/lib/data/homeport/runs/log`,
        }
      : {}),
  };
  const program = installCommand(token, options);
  const command = hostCommand(program.argv, { needsRoot: sandboxRoot === null, stdin: program.stdin });
  await context.run('root', command, {
    shown: `bash install.sh --url ${options.url} --user ${options.user}`,
    deadlineMs: 120_000,
  });
  await recordServerFacts(deps.db, context.owner, server.id, {
    agent_token_hash: hash,
    agent_installed: true,
  });
  if (sandboxRoot) await context.run('root', keepReporting(`${sandboxRoot}/machine`));
}

/** The sandbox has no systemd and no cron, so its own keeper runs the agent until the sandbox ends. */
function keepReporting(machine: string): Command {
  const program = `${machine}/usr/local/lib/homeport-agent/homeport-agent`;
  const settings = `${machine}/etc/homeport-agent/agent.conf`;
  return hostCommand(['sandbox-keep', 'homeport-agent', program, '--loop', '--config', settings], {
    needsRoot: false,
  });
}
