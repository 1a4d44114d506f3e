import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { bootstrap } from '@homeport/dokku';
import { fingerprintOf, keyTypeOf } from '@homeport/ssh';
import { makeAgentToken, type Store } from '@homeport/store';
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
  store: Pick<Store, 'db' | 'notify'>,
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
    git_user: username,
    sandbox: true,
  } as const;
  const { id } = await store.db
    .insertInto('servers')
    .values({
      ...facts,
      owner_id: owner,
      key: randomName(),
      name: sandboxName,
      description,
      ip: '127.0.0.1',
      port: host.sshPort,
      credential: 'password',
      subdomain: await freeSubdomain(store.db),
      metal: false,
      monitor_id: randomName(),
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.columns(['owner_id', 'ip', 'port']).doUpdateSet(facts))
    .returning('id')
    .executeTakeFirstOrThrow();
  await store.notify('changed', { owner, topic: 'servers', id });
  return { serverId: id, agentToken: token };
}

const randomName = () => randomBytes(8).toString('hex');

/** Subdomains are unique across all accounts. */
async function freeSubdomain(db: Store['db']): Promise<string> {
  const taken = await db
    .selectFrom('servers')
    .select('id')
    .where('subdomain', '=', 'harbour')
    .executeTakeFirst();
  return taken ? `harbour${randomBytes(3).toString('hex')}` : 'harbour';
}
