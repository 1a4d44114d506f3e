import { groupedKinds, notificationRules } from '@homeport/contract/notifications/kinds';

/** A piece of news that no message holds yet. */
export type Undecided = {
  id: string;
  kind: string;
  serverId: string | null;
  at: number;
  /** The incident. */
  thread: string;
  /** Its beginning left in a message of its own, which the end changes or follows. */
  beganAlone: boolean;
};

type Group = { server: string | null; at: number; ids: string[] };

/** What may leave, in its order, and whether there is more that has to wait. */
export type Grouped = { ready: { ids: string[]; isOfServer: boolean }[]; isHeld: boolean };

/**
 * Which news leaves together, in the order of the first piece of each message. A dead server takes its apps with it, so what concerns one
 * server is gathered for a while. An end joins others only where its beginning does not stand in a message of its own. Nothing overtakes
 * a group that still gathers, and no piece waits for longer than that.
 *
 * @param news in the order in which it was raised
 * @param isOneByIncident news of one incident leaves together, however much later it came: whoever had quiet hours wakes up to one
 * message that says how it ended
 */
export function groupNews(
  news: readonly Undecided[],
  now: number,
  { isOneByIncident = false }: { isOneByIncident?: boolean } = {},
): Grouped {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  const begun = new Map<string, Group>();
  for (const { id, kind, serverId, at, thread, beganAlone } of news) {
    const server = isGrouped(kind) && !beganAlone ? serverId : null;
    const present = server === null ? undefined : open.get(server);
    const beginning = begun.get(thread);
    if (isOneByIncident && beginning !== undefined) {
      beginning.ids.push(id);
      continue;
    }
    const joins = present && Math.abs(at - present.at) <= notificationRules.groupMs;
    if (joins && (beginning === undefined || beginning === present)) {
      present.ids.push(id);
      begun.set(thread, present);
      continue;
    }
    const group = { server: beginning === undefined ? server : null, at, ids: [id] };
    groups.push(group);
    begun.set(thread, group);
    if (group.server !== null) open.set(group.server, group);
  }
  const gathering = groups.findIndex((group) => gathers(group, now));
  const ready = gathering === -1 ? groups : groups.slice(0, gathering);
  return {
    ready: ready.map(({ ids, server }) => ({ ids, isOfServer: server !== null })),
    isHeld: gathering !== -1,
  };
}

const isGrouped = (kind: string) => groupedKinds.some((grouped) => grouped === kind);

/**
 * Whoever raised the news may have another clock. One that is ahead holds nothing for longer than it would hold itself, which is twice
 * the time at most.
 */
const gathers = ({ server, at }: Group, now: number) =>
  server !== null && Math.abs(now - at) < notificationRules.groupMs;
