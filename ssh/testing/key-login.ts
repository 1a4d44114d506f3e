import type { OpenOptions, Signer } from '../src/index.ts';
import type { Sshd } from './start-sshd.ts';

/** What opens a connection to the sshd by a key: its own account, and its own host key pinned. */
export function keyLogin(
  { host, port, user, hostKeyFingerprint }: Sshd,
  signer: Signer,
  changes: Partial<OpenOptions> = {},
): OpenOptions {
  return {
    host,
    port,
    username: user,
    pinnedHostKey: hostKeyFingerprint,
    credential: { method: 'agent', signer },
    ...changes,
  };
}
