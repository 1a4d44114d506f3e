import { pushNamesAtMost } from '@homeport/contract/apps/push-keys/facts';
import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';
import { isPlainName, type KeysOnServer } from './read-on-server.ts';

export type OwnKey = { id: string; fingerprint: string };

type Known = {
  /** The person’s keypairs, in the order of the page. */
  own: readonly OwnKey[];
  /** The name of the key with which GitHub deploys the app; null: no continuous deployment is set up. */
  deploys: string | null;
  mayAdd: boolean;
};

/** One row for each name that a list may hold, and for each keypair of the person that has none on the server. */
export function describeKeys({ keys, listed }: KeysOnServer, { own, deploys, mayAdd }: Known): PushList {
  const list = new Set(listed ?? []);
  const fingerprintsOf = new Map<string, string[]>();
  for (const { name, fingerprint } of keys)
    if (isPlainName(name)) fingerprintsOf.set(name, [...(fingerprintsOf.get(name) ?? []), fingerprint]);
  const row = (name: string, fingerprint: string | null, keyId: string | null): PushKey => ({
    ...{ name, keyId, fingerprint, standing: fingerprint === null ? 'keyless' : 'named' },
    others: Math.max(0, (fingerprintsOf.get(name)?.length ?? 0) - 1),
    ...{ listed: list.has(name), deploys: name === deploys },
  });
  const unnamed = (keyId: string, fingerprint: string, standing: PushKey['standing']): PushKey => ({
    ...{ name: null, keyId, fingerprint, standing },
    ...{ others: 0, listed: false, deploys: false },
  });
  const ownRows = own.flatMap(({ id, fingerprint }) => {
    const names = namesOf(keys, fingerprint);
    const plain = names.filter(isPlainName);
    if (plain.length > 0) return plain.map((name) => row(name, fingerprint, id));
    return unnamed(id, fingerprint, names.length === 0 ? 'absent' : 'misnamed');
  });
  const shown = new Set(ownRows.flatMap(({ name }) => name ?? []));
  const rest = [...new Set([...list, ...fingerprintsOf.keys()])]
    .filter((name) => isPlainName(name) && !shown.has(name))
    .map((name) => row(name, fingerprintsOf.get(name)?.[0] ?? null, null));
  const plainListed = [...list].filter(isPlainName);
  return {
    hasLists: listed !== null,
    keys: [...ownRows, ...rest.slice(0, pushNamesAtMost)],
    more: Math.max(0, rest.length - pushNamesAtMost),
    odd: list.size - plainListed.length,
    isTooLong: plainListed.length > pushNamesAtMost,
    mayAdd,
  };
}

/** A server may have a key under several names, where somebody wrote them by hand. */
export const namesOf = (keys: KeysOnServer['keys'], fingerprint: string): string[] => [
  ...new Set(keys.filter((key) => key.fingerprint === fingerprint).map(({ name }) => name)),
];
