import { keysOfName, pushNamesAtMost } from '@homeport/contract/apps/push-keys/facts';
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
  const row = (name: string, keyId: string | null, first?: string): PushKey => {
    const all = [...new Set([...(first === undefined ? [] : [first]), ...(fingerprintsOf.get(name) ?? [])])];
    return {
      ...{ name, keyId, standing: all.length === 0 ? 'keyless' : 'named' },
      ...{ fingerprints: all.slice(0, keysOfName), moreOfName: Math.max(0, all.length - keysOfName) },
      ...{ listed: list.has(name), deploys: name === deploys },
    };
  };
  const unnamed = (keyId: string, fingerprint: string, standing: PushKey['standing']): PushKey => ({
    ...{ name: null, keyId, fingerprints: [fingerprint], moreOfName: 0, standing },
    ...{ listed: false, deploys: false },
  });
  const shown = new Set<string>();
  const ownRows = own.flatMap(({ id, fingerprint }) => {
    const [name] = namesOf(keys, fingerprint);
    if (name === undefined) return unnamed(id, fingerprint, 'absent');
    if (!isPlainName(name)) return unnamed(id, fingerprint, 'misnamed');
    // Two keypairs may have one name, where somebody wrote it by hand.
    if (shown.has(name)) return [];
    shown.add(name);
    return row(name, id, fingerprint);
  });
  const rest = [...new Set([...list, ...fingerprintsOf.keys()])]
    .filter((name) => isPlainName(name) && !shown.has(name))
    .map((name) => row(name, null));
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

/** What the console keeps: who may push to the app. Whoever reads apps by a token learns nothing of the server’s other keys. */
export const keptOf = (list: PushList): PushList => ({
  ...list,
  keys: list.keys.filter(({ listed }) => listed),
});

export const namesOf = (keys: KeysOnServer['keys'], fingerprint: string): string[] => [
  ...new Set(keys.filter((key) => key.fingerprint === fingerprint).map(({ name }) => name)),
];
