import type { Store } from '@homeport/store';
import type { DemoHost } from './demo-host.ts';

type Options = {
  store: Pick<Store, 'db' | 'listener' | 'notify'>;
  owner: string;
  serverId: string;
  host: Pick<DemoHost, 'trust'>;
  onError: (error: unknown) => void;
};

/**
 * Lets the owner's stored keys in on the demo's host, now and whenever they change. Nobody can copy a key to this host by hand, so
 * a server whose credential is none of these keys gets the first one. Resolves with a function that stops following.
 */
export async function followKeys({ store, owner, serverId, host, onError }: Options): Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  const follow = () => {
    last = last.then(bringUpToDate).catch(onError);
    return last;
  };

  async function bringUpToDate(): Promise<void> {
    const keys = await store.db
      .selectFrom('keys')
      .select(['id', 'public_key'])
      .where('owner_id', '=', owner)
      .orderBy('added_at')
      .execute();
    await host.trust(keys.map((key) => key.public_key));
    const ids = keys.map((key) => key.id);
    const changed = await store.db
      .updateTable('servers')
      .set({ credential: ids[0] ?? 'password' })
      .where('id', '=', serverId)
      .where('credential', 'not in', ids.length > 0 ? ids : ['password'])
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0n) await store.notify('changed', { owner, topic: 'servers', id: serverId });
  }

  const stops = [
    await store.listener.on('changed', (change) => {
      if (change.owner === owner && change.topic === 'keys') void follow();
    }),
    store.listener.onReconnect(() => void follow()),
  ];
  await follow();
  return () => {
    for (const stop of stops) stop();
  };
}
