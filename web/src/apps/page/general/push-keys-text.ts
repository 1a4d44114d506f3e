import type { App } from '@homeport/contract/apps/schema';
import type { Key } from '@homeport/contract/credentials/schema';

/** Which keys may push to the app. A removed key is no longer in `keys`, and the server still takes it. */
export function pushKeysText(
  app: Pick<App, 'keys' | 'imported'>,
  keys: readonly Pick<Key, 'id' | 'name'>[],
): string {
  if (app.keys === null) return app.imported ? 'Not known: the app was made elsewhere' : 'Not known';
  if (app.keys.length === 0) return 'Every key of the server';
  const names = app.keys.flatMap((id) => keys.find((key) => key.id === id)?.name ?? []);
  const removed = app.keys.length - names.length;
  if (removed > 0)
    names.push(removed === 1 ? 'a key that you removed here' : `${removed} keys that you removed here`);
  return names.join(', ');
}
