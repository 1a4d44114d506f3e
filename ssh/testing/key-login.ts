import type { OpenOptions, Signer } from '../src/index.ts';
import type { Sshd } from './start-sshd.ts';

/** The options that open a connection to a test's sshd by a key: the sshd's own account, and its host key as the pin. */
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
