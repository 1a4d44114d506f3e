import { inStore } from '../credentials/keys/browser-store.ts';

/** What this browser itself knows of a server; the console's copy has no say in it. */
export interface ServerTrust {
  serverId: string;
  /** `SHA256:…` of the host key that the user accepted here; null until then. */
  pin: string | null;
  pinnedAt: number | null;
  /** "Ask me before each connection." */
  askEachTime: boolean;
}

export async function readTrust(serverId: string): Promise<ServerTrust> {
  const kept = await inStore<ServerTrust | undefined>('servers', 'readonly', (store) => store.get(serverId));
  return kept ?? { serverId, pin: null, pinnedAt: null, askEachTime: false };
}

/** Only after the user accepted this fingerprint. */
export async function pinHostKey(serverId: string, fingerprint: string, at = Date.now()): Promise<void> {
  await write({ ...(await readTrust(serverId)), pin: fingerprint, pinnedAt: at });
}

export async function setAskEachTime(serverId: string, askEachTime: boolean): Promise<void> {
  await write({ ...(await readTrust(serverId)), askEachTime });
}

/** For a server that was removed: its pin must not surprise whoever links the address again. */
export async function forgetServer(serverId: string): Promise<void> {
  await inStore('servers', 'readwrite', (store) => store.delete(serverId));
}

async function write(trust: ServerTrust): Promise<void> {
  await inStore('servers', 'readwrite', (store) => store.put(trust));
}
