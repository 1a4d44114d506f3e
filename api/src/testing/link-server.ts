import type { Key } from '@homeport/contract/credentials/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { makeKey } from '@homeport/ssh/testing';
import { bodyOf, type TestVisitor } from '../http/testing.ts';
import { openAsPage } from './page.ts';
import type { SandboxServer } from './sandbox-host.ts';

export type TestLink = {
  server: Server;
  /** The stored key `git`, for apps and their pushes; the one that logs in is the server’s credential. */
  pushKey: { id: string; privateKeyPem: string };
  /** Opens a connection the way the page does. Throws where the console does not get one. */
  connect(): Promise<void>;
};

/**
 * Links a host for somebody of whom the console knows no key yet: as the server `lantern`, with the stored key `laptop` that
 * logs in there. It is not connected. `port` is another way to the host’s own.
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
      const login = { id: server.id, user: sshd.user };
      const last = await openAsPage(consoleUrl, person, login, signer, sshd.hostKeyFingerprint);
      if (last.type !== 'ready') throw new Error(`No connection: ${JSON.stringify(last)}`);
    },
  };
}
