import { lacksDokku } from '@homeport/contract/servers/platform';
import type { ServerWithStats } from '../data/server-status.ts';
import { formatAgo, formatBytes } from '../ui/text/format.ts';

/** What is created on the chosen server. */
export type OfferedFor = 'app' | 'database';

export interface ServerOffer extends ServerWithStats {
  /** "4 apps, 2.1 GB RAM free" */
  note: string;
  /** Why the server accepts nothing new now. null when it accepts it. */
  refusal: string | null;
}

/** Each server with what it has of the same kind and its free memory, or with the reason why it accepts nothing new. */
export function offerServers(
  servers: readonly ServerWithStats[],
  present: readonly { serverId: string }[],
  what: OfferedFor,
  now: number,
): ServerOffer[] {
  return servers.map((each) => ({
    ...each,
    note: noteOf(each, present, what, now),
    refusal: refusalOf(each),
  }));
}

function refusalOf({ server }: ServerWithStats): string | null {
  if (server.simulated) return 'Simulated: there is no machine';
  if (server.credential === null) return 'Read-only: no management credential';
  if (server.metal) return 'Bare metal: no app platform';
  return null;
}

function noteOf(
  { server, stats, status }: ServerWithStats,
  present: readonly { serverId: string }[],
  what: OfferedFor,
  now: number,
): string {
  // No reason to refuse: only the server itself knows whether somebody installed Dokku there, and the creation asks it.
  if (lacksDokku(server)) return 'Dokku is not known to be there. Homeport asks the server';
  const count = present.filter(({ serverId }) => serverId === server.id).length;
  const things = `${count} ${count === 1 ? what : `${what}s`}`;
  // A silent agent is no reason to refuse: the server itself may answer.
  if (status === 'offline' && stats)
    return `${things}, last report ${formatAgo(stats.update_time, now)}. Homeport tries the server all the same`;
  const free =
    stats?.ram_total != null && stats.ram_usage != null
      ? Math.max(0, stats.ram_total - stats.ram_usage)
      : null;
  return `${things}, ${free === null ? 'no RAM data' : `${formatBytes(free)} RAM free`}`;
}

/** The choice before the user makes one. */
export interface InitialChoice {
  serverId: string | null;
  /** Why the server that the address names is not chosen. null if the address names none. */
  problem: string | null;
}

/**
 * The server that `?server=` names by key or id. The page never replaces that server by another one: the user
 * would create the thing on the wrong server. Without a name, the only available server whose agent is not silent
 * and on which Dokku was found.
 */
export function initialChoice(
  offers: readonly ServerOffer[],
  wanted: string | undefined,
  what: OfferedFor,
): InitialChoice {
  const able = offers.filter(
    ({ refusal, status, server }) => refusal === null && status !== 'offline' && !lacksDokku(server),
  );
  const only = able.length === 1 ? (able[0]?.server.id ?? null) : null;
  if (wanted === undefined) return { serverId: only, problem: null };
  const named = offers.find(({ server }) => server.key === wanted || server.id === wanted);
  if (!named)
    return {
      serverId: null,
      problem: `The address names a server that is not one of yours. Choose the server for the ${what}.`,
    };
  if (named.refusal === null) return { serverId: named.server.id, problem: null };
  return {
    serverId: null,
    problem: `${named.server.name} takes no ${what} now (${named.refusal}). Choose another server, or come back later.`,
  };
}
