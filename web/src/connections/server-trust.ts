import { inStore } from '../data/browser-store.ts';

/** This browser's own knowledge of a server. The console's copy does not change it. */
export interface ServerTrust {
  serverId: string;
  /** `SHA256:…` of the host key that the user accepted in this browser. null until then. */
  pin: string | null;
  pinnedAt: number | null;
  /** "Ask me before each connection." */
  askEachTime: boolean;
  /**
   * The time of this browser's first host-bound signature under the pin. From then on the browser signs
   * nothing else for the server.
   */
  hostBoundAt: number | null;
  /**
   * The time at which the user agreed to signatures that are not bound to the pinned server. null without an
   * agreement.
   */
  plainAgreedAt: number | null;
}

export async function readTrust(serverId: string): Promise<ServerTrust> {
  return whole(serverId, await inStore<Kept>('servers', 'readonly', (store) => store.get(serverId)));
}

/** Call only after the user accepted this fingerprint. An agreement for another pin ends here. */
export async function pinHostKey(serverId: string, fingerprint: string, at = Date.now()): Promise<void> {
  await change(serverId, (trust) => ({
    ...trust,
    ...(trust.pin === fingerprint ? {} : { hostBoundAt: null, plainAgreedAt: null }),
    pin: fingerprint,
    pinnedAt: at,
  }));
}

export async function setAskEachTime(serverId: string, askEachTime: boolean): Promise<void> {
  await change(serverId, (trust) => ({ ...trust, askEachTime }));
}

/** Call before the first host-bound signature under this pin. An agreement to the plain form ends here. */
export async function noteHostBound(serverId: string, pin: string, at = Date.now()): Promise<void> {
  await change(serverId, (trust) =>
    trust.pin === pin ? { ...trust, hostBoundAt: trust.hostBoundAt ?? at, plainAgreedAt: null } : trust,
  );
}

/**
 * Call only after the user agreed in words. A server that accepted a host-bound signature before gets no such
 * agreement.
 */
export async function agreeToPlain(serverId: string, pin: string, at = Date.now()): Promise<void> {
  await change(serverId, (trust) =>
    trust.pin === pin && trust.hostBoundAt === null ? { ...trust, plainAgreedAt: at } : trust,
  );
}

export async function withdrawPlain(serverId: string): Promise<void> {
  await change(serverId, (trust) => ({ ...trust, plainAgreedAt: null }));
}

/** Call only after the user removed the server in this browser or asked to forget its key. */
export async function forgetServer(serverId: string): Promise<void> {
  await inStore('servers', 'readwrite', (store) => store.delete(serverId));
}

/** A record from an earlier version of the page lacks newer fields. */
type Kept = (Partial<ServerTrust> & { serverId: string }) | undefined;

function whole(serverId: string, kept: Kept): ServerTrust {
  const unknown = { pin: null, pinnedAt: null, askEachTime: false, hostBoundAt: null, plainAgreedAt: null };
  return { ...unknown, ...kept, serverId };
}

/** Reads and writes in one transaction, so that two tabs do not overwrite each other's change. */
async function change(serverId: string, edit: (trust: ServerTrust) => ServerTrust): Promise<void> {
  await inStore<Kept>('servers', 'readwrite', (store) => {
    const reading: IDBRequest<Kept> = store.get(serverId);
    reading.onsuccess = () => store.put(edit(whole(serverId, reading.result)));
    return reading;
  });
}
