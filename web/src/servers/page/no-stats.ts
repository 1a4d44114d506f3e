import { messages } from '@homeport/contract/messages';
import type { Server } from '@homeport/contract/servers/schema';

/** Why a server has no stats, and when the first ones will arrive. */
export function noStatsReason(
  server: Pick<Server, 'monitorId' | 'agentInstalled' | 'setup' | 'credential'>,
): string {
  if (server.monitorId === null) return messages.noMonitorId;
  if (server.credential === null)
    return 'The first report arrives some minutes after the agent’s install line ran on the machine.';
  if (server.agentInstalled) return 'The first report arrives about 3 minutes after the agent starts.';
  if (server.setup === 'installing') return 'The monitoring agent is being installed.';
  return 'The monitoring agent is not installed on this server.';
}
