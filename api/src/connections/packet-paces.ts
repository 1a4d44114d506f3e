import { PacketPace } from '@homeport/ssh';

/** One pace for all connections of a person in this process, so that many servers take no more of the loop than one. */
export function createPacketPaces(now?: () => number) {
  const paces = new Map<string, PacketPace>();
  return {
    /** A connection that opens holds its pace from the call of `openConnection` until its socket has closed. */
    of(userId: string): PacketPace {
      const pace = paces.get(userId) ?? new PacketPace(now);
      // A pace at rest is like a new one and no connection holds it, so nothing is lost with it.
      for (const [owner, { isAtRest }] of paces) if (isAtRest) paces.delete(owner);
      paces.set(userId, pace);
      return pace;
    },
  };
}
