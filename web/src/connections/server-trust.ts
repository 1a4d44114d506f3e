import { inStore } from '../data/browser-store.ts';

/** What this browser itself knows of a server; the console's copy has no say in it. */
export interface ServerTrust {
  serverId: string;
  /** `SHA256:…` of the host key that the user accepted here; null until then. */
  pin: string | null;
  pinnedAt: number | null;
  /** "Ask me before each connection." */
  askEachTime: boolean;
  /** When this browser first gave the pinned server a host-bound signature: from then on it gives it no other. */
  hostBoundAt: number | null;
  /** When the person agreed to signatures that are not bound to the pinned server; null where they did not. */
  plainAgreedAt: number | null;
}

export async function readTrust(serverId: string): Promise<ServerTrust> {
  return whole(serverId, await inStore<Kept>('servers', 'readonly', (store) => store.get(serverId)));
}

/** Only after the user accepted this fingerprint. What was agreed to for another pin ends with it. */
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

/** Before the first host-bound signature under this pin. An agreement to the plain form is not needed any more. */
export async function noteHostBound(serverId: string, pin: string, at = Date.now()): Promise<void> {
  await change(serverId, (trust) =>
    trust.pin === pin ? { ...trust, hostBoundAt: trust.hostBoundAt ?? at, plainAgreedAt: null } : trust,
  );
}

/** Only after the person agreed in words. A server that took a host-bound signature once is not agreed to again. */
export async function agreeToPlain(serverId: string, pin: string, at = Date.now()): Promise<void> {
  await change(serverId, (trust) =>
    trust.pin === pin && trust.hostBoundAt === null ? { ...trust, plainAgreedAt: at } : trust,
  );
}

export async function withdrawPlain(serverId: string): Promise<void> {
  await change(serverId, (trust) => ({ ...trust, plainAgreedAt: null }));
}

/** Only by the person's act: after they removed the server in this browser, or said to forget its key. */
export async function forgetServer(serverId: string): Promise<void> {
  await inStore('servers', 'readwrite', (store) => store.delete(serverId));
}

/** A record of an earlier version of the page lacks what was added since. */
type Kept = (Partial<ServerTrust> & { serverId: string }) | undefined;

function whole(serverId: string, kept: Kept): ServerTrust {
  const unknown = { pin: null, pinnedAt: null, askEachTime: false, hostBoundAt: null, plainAgreedAt: null };
  return { ...unknown, ...kept, serverId };
}

/** Reads and writes in one transaction, so that two tabs do not undo each other's change. */
async function change(serverId: string, edit: (trust: ServerTrust) => ServerTrust): Promise<void> {
  await inStore<Kept>('servers', 'readwrite', (store) => {
    const reading: IDBRequest<Kept> = store.get(serverId);
    reading.onsuccess = () => store.put(edit(whole(serverId, reading.result)));
    return reading;
  });
}
