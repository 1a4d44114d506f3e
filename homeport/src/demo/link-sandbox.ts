import { userInfo } from 'node:os';
import { addServer, suggestSubdomain } from '@homeport/api';
import { bootstrap, pluginFiles } from '@homeport/dokku';
import { fingerprintOf, keyTypeOf } from '@homeport/ssh';
import { makeAgentToken, type OwnerWrite, ownerFromSession, type Store } from '@homeport/store';
import type { DemoHost } from './demo-host.ts';

export const sandboxName = 'harbour-sandbox';

/** The page shows this text with the server, also in lists. A person has to know both facts before a push. */
const description =
  'A sandbox on the console’s own machine. It isolates nothing. Add a key to Homeport, and the sandbox lets you in; it takes no password.';

export type LinkedSandbox = {
  serverId: string;
  /** A new token at each link. The store keeps its hash. */
  agentToken: string;
};

/** Adds the demo's server to the owner's servers, or updates the record that is there. */
export async function linkSandbox(
  store: Pick<Store, 'transact'>,
  owner: string,
  host: DemoHost,
): Promise<LinkedSandbox> {
  const { token, hash } = makeAgentToken();
  const blob = Buffer.from(host.hostKey.split(' ')[1] ?? '', 'base64');
  const { username } = userInfo();
  const facts = {
    username,
    agent_token_hash: hash,
    agent_installed: true,
    host_key_fingerprint: fingerprintOf(blob),
    host_key_algorithm: keyTypeOf(blob),
    setup: 'ready',
    // The sandbox's sudo asks for no password.
    login: process.getuid?.() === 0 ? 'root' : 'sudo',
    dokku_version: bootstrap.dokkuVersion,
    dokku_plugin: pluginFiles.version,
    git_user: username,
    sandbox: true,
  } as const;
  const address = { ip: '127.0.0.1', port: host.sshPort };
  const id = await store.transact(ownerFromSession(owner), async (scope) => {
    const known = await scope.db
      .selectFrom('servers')
      .select('id')
      .where('owner_id', '=', owner)
      .where('ip', '=', address.ip)
      .where('port', '=', address.port)
      .executeTakeFirst();
    const { id } = known ?? (await addSandbox(scope, { ...address, username }));
    const described = known ? facts : { ...facts, description };
    await scope.db.updateTable('servers').set(described).where('id', '=', id).execute();
    await scope.notify('changed', { owner, topic: 'servers', id });
    return id;
  });
  return { serverId: id, agentToken: token };
}

/** As a person adds a server; it lies on the console's own machine, and no ceiling keeps the demo from starting. */
async function addSandbox(scope: OwnerWrite, at: { ip: string; port: number; username: string }) {
  const { claimed, suggestion } = await suggestSubdomain(scope);
  const subdomain = claimed.includes('harbour') ? suggestion : 'harbour';
  const asked = {
    ...at,
    name: sandboxName,
    credential: 'password' as const,
    subdomain,
    installDokku: true,
    otherMachine: false,
  };
  return addServer(scope, asked, null, Number.POSITIVE_INFINITY);
}
