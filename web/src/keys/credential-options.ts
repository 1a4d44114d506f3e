import type { Key } from '@homeport/contract/credentials/schema';

/** What stands in a form for no credential: the server is then read-only. */
export const noCredential = 'none';

/**
 * The credentials to choose from: first the keys whose private half this browser holds, then the others, each
 * in the order of the list. A connection from here needs one of the first.
 *
 * @param held the ids of the keys in this browser; undefined until they are known
 */
export function credentialOptions(
  keys: readonly Pick<Key, 'id' | 'name'>[],
  held: Pick<ReadonlySet<string>, 'has'> | undefined,
): { value: string; label: string }[] {
  const here = keys.filter(({ id }) => held?.has(id) ?? true);
  const elsewhere = keys.filter(({ id }) => held && !held.has(id));
  return [
    ...here.map(({ id, name }) => ({ value: id, label: name })),
    ...elsewhere.map(({ id, name }) => ({ value: id, label: `${name} (not in this browser)` })),
    { value: 'password', label: 'Password' },
    { value: noCredential, label: 'None: read-only' },
  ];
}
