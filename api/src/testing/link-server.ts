import type { Key } from '@homeport/contract/credentials/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { makeKey } from '@homeport/ssh/testing';
import { bodyOf, type TestVisitor } from '../http/testing.ts';
import { openAsPage } from './page.ts';
import type { SandboxServer } from './sandbox-host.ts';

export type TestLink = {
  server: Server;
  /** The stored key `git`, for apps and their pushes. The key that logs in is the server’s credential. */
  pushKey: { id: string; privateKeyPem: string };
  /** Accepts the host key and opens a connection, like the page. Throws when that fails. */
  connect(): Promise<void>;
};

/**
 * Links a host as the server `lantern` for a person without keys, with the stored key `laptop` that logs in
 * there. The server is not connected. `port` replaces the host’s own port, for example by a relay's.
 */
export async function linkServer(
  consoleUrl: string,
  person: TestVisitor,
  { sshd, publicKeyLine, signer }: Pick<SandboxServer, 'sshd' | 'publicKeyLine' | 'signer'>,
  port = sshd.port,
): Promise<TestLink> {
  const storeKey = async (name: string, publicKey: string) =>
    bodyOf<Key>(await person.call('POST /api/keys', { name, publicKey }), 201).id;
  const credential = await storeKey('laptop', publicKeyLine);
  const git = makeKey();
  const pushKey = { id: await storeKey('git', git.publicKeyLine), privateKeyPem: git.privateKeyPem };
  const added = await person.call('POST /api/servers', {
    name: 'lantern',
    ip: sshd.host,
    port,
    username: sshd.user,
    credential,
    subdomain: 'lantern',
  });
  const server = bodyOf<Server>(added, 201);
  return {
    server,
    pushKey,
    async connect() {
      const pin = { from: null, to: sshd.hostKeyFingerprint, algorithm: null };
      bodyOf<Server>(await person.call(`PUT /api/servers/${server.id}/host-key`, pin), 200);
      const login = { id: server.id, user: sshd.user };
      const last = await openAsPage(consoleUrl, person, login, signer, sshd.hostKeyFingerprint);
      if (last.type !== 'ready') throw new Error(`No connection: ${JSON.stringify(last)}`);
    },
  };
}
