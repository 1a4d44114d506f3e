import type { Server } from '@homeport/contract/servers/schema';
import type { ServerTrust } from '../../../connections/server-trust.ts';

/** What is known of a server's host key, here and in the console. `trust`: undefined until this browser has read its own. */
export function hostKeyText(
  server: Pick<Server, 'simulated' | 'hostKeyFingerprint'>,
  trust: Pick<ServerTrust, 'pin' | 'askEachTime' | 'plainAgreedAt'> | undefined,
): string {
  if (server.simulated) return 'None: there is no machine to connect to';
  const pin = trust?.pin ?? null;
  const stored = server.hostKeyFingerprint;
  if (pin && stored && pin !== stored) return 'This browser and Homeport hold different keys';
  const asks = trust?.askEachTime ? ' You are asked before each connection.' : '';
  const older = trust?.plainAgreedAt ? ' Signatures are not bound to it: its SSH server is older.' : '';
  if (pin) return `Pinned in this browser.${older}${asks}`;
  if (stored) return `Known to Homeport; this browser asks once.${asks}`;
  return 'The first connection asks about it';
}
