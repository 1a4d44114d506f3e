import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { bootstrap } from '@homeport/dokku';
import { fingerprintOf, keyTypeOf } from '@homeport/ssh';
import { makeAgentToken, type Store } from '@homeport/store';
import type { DemoHost } from './demo-host.ts';

export const sandboxName = 'harbour-sandbox';

/** Shown with the server, also in lists: what has to be known before anything is pushed, and the one thing to do. */
const description =
  'A sandbox on the console’s own machine; it isolates nothing. Add a key to Homeport and it lets you in; it takes no password.';

export type LinkedSandbox = {
  serverId: string;
  /** New at each link; the store keeps its hash. */
  agentToken: string;
};

/** Makes the demo's server the owner's, or brings the record up to date where it is so already. */
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
    // The sandbox's sudo asks nobody.
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
