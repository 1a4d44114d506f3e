import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';
import type { App } from '@homeport/contract/apps/schema';
import type { Key } from '@homeport/contract/credentials/schema';

type Names = readonly Pick<Key, 'id' | 'name'>[];

/** Which keys may push to the app, as its creation allowed. A removed key is no longer in `keys`, and the server still takes it. */
export function pushKeysText(app: Pick<App, 'keys' | 'imported'>, keys: Names): string {
  if (app.keys === null) return app.imported ? 'Not known: the app was made elsewhere' : 'Not known';
  if (app.keys.length === 0) return 'Every key of the server';
  const names = app.keys.flatMap((id) => keys.find((key) => key.id === id)?.name ?? []);
  const removed = app.keys.length - names.length;
  if (removed > 0)
    names.push(removed === 1 ? 'a key that you removed here' : `${removed} keys that you removed here`);
  return names.join(', ');
}

/** Who may push, as the server told it last: for a row of facts. */
export function pushersText({ hasLists, keys, odd }: PushList, own: Names): string {
  const listed = keys.filter((key) => key.listed).map((key) => titleOf(key, own));
  if (odd > 0) listed.push(odd === 1 ? 'another key' : `${odd} other keys`);
  return hasLists && listed.length > 0 ? listed.join(', ') : 'Every key of the server';
}

/** What a person calls the key: their own name of it, and else the name that the server has. */
export function titleOf({ name, keyId, deploys }: PushKey, keys: Names): string {
  if (deploys) return 'GitHub';
  return keys.find(({ id }) => id === keyId)?.name ?? name ?? 'A key that you removed here';
}
