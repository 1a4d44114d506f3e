import type { ServerStatus } from '@homeport/contract/servers/health';
import { formatWhen } from '../ui/text/format.ts';

/** "Good morning, Ines". The hour is in the user's own time zone. */
export function greeting(name: string, hour: number): string {
  const part = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon';
  return `Good ${part}, ${firstName(name)}`;
}

export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}

/** The state of the servers in words. `about` names the one server that deserves it, if any. */
export interface FleetSentence {
  text: string;
  about: { key: string; name: string; text: string } | null;
}

interface Line {
  server: { key: string; name: string };
  status: ServerStatus | null;
  stats: { update_time: number } | null;
}

/** One sentence on all servers, and one on the server that went offline last. */
export function fleetSentence(lines: readonly Line[], now: number): FleetSentence {
  const known = lines.filter(({ status }) => status !== null);
  const [only] = lines;
  if (only && known.length < lines.length)
    return { text: 'The state of your servers is not known yet.', about: null };
  const online = known.filter(({ status }) => status === 'online').length;
  const dark = known
    .filter(({ status }) => status === 'offline')
    .sort((a, b) => (b.stats?.update_time ?? 0) - (a.stats?.update_time ?? 0))[0];
  return {
    text: lines.length === 1 && only ? soleSentence(only) : countSentence(online, lines),
    about: dark
      ? {
          ...dark.server,
          text: `has been offline since ${formatWhen(dark.stats?.update_time ?? now, now)}.`,
        }
      : null,
  };
}

function soleSentence({ server, status }: Line): string {
  if (status === 'online') return `${server.name} is online.`;
  return status === 'offline' ? 'Your server is not online.' : `${server.name} has sent no data yet.`;
}

function countSentence(online: number, lines: readonly Line[]): string {
  const all = lines.length;
  if (online === all) return all === 2 ? 'Both servers are online.' : `All ${all} servers are online.`;
  if (lines.every(({ status }) => status === 'no-data'))
    return `None of your ${all} servers has reported yet.`;
  if (online === 0) return `None of your ${all} servers is online.`;
  return `${online} of ${all} servers ${online === 1 ? 'is' : 'are'} online.`;
}
