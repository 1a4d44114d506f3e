import { PacketPace } from '@homeport/ssh';

/** One pace for all connections of a person in this process, so that many servers take no more of the loop than one. */
export function createPacketPaces(now?: () => number) {
  const paces = new Map<string, PacketPace>();
  return {
    of(userId: string): PacketPace {
      const pace = paces.get(userId) ?? new PacketPace(now);
      // A pace at rest is like a new one, so nothing is lost with it.
      for (const [owner, { isAtRest }] of paces) if (isAtRest) paces.delete(owner);
      paces.set(userId, pace);
      return pace;
    },
  };
}
