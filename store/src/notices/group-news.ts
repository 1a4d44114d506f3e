import { groupedKinds, notificationRules } from '@homeport/contract/notifications/kinds';

/** A piece of news that no message holds yet. */
export type Undecided = { id: string; kind: string; serverId: string | null; at: number };

type Group = { server: string | null; at: number; ids: string[] };

/**
 * Which news leaves together, in the order of the first piece of each message. A dead server takes its apps with it, so what concerns one
 * server is gathered for half a minute. Nothing overtakes a group that still gathers, and no piece waits for longer than that.
 *
 * @param news in the order in which it was raised
 */
export function groupNews(news: readonly Undecided[], now: number): string[][] {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const { id, kind, serverId, at } of news) {
    const server = isGrouped(kind) ? serverId : null;
    const joined = server === null ? undefined : open.get(server);
    if (joined && at <= joined.at + notificationRules.groupMs) {
      joined.ids.push(id);
      continue;
    }
    const group = { server, at, ids: [id] };
    groups.push(group);
    if (server !== null) open.set(server, group);
  }
  const gathering = groups.findIndex((group) => gathers(group, now));
  return (gathering === -1 ? groups : groups.slice(0, gathering)).map(({ ids }) => ids);
}

const isGrouped = (kind: string) => groupedKinds.some((grouped) => grouped === kind);

/** Whoever raised the news may have another clock. One that is ahead holds nothing for longer than it would hold itself. */
const gathers = ({ server, at }: Group, now: number) =>
  server !== null && Math.abs(now - at) < notificationRules.groupMs;
