import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';
import type { RouteInput } from '../../../data/route-types.ts';

/** The keys that were touched, by `idOf`, and whether each may push. */
export type PushDraft = ReadonlyMap<string, boolean>;
export const untouched: PushDraft = new Map();

type Body = RouteInput<'POST /api/apps/:id/push-keys'>['body'];

/** A name of a list can be no id of a keypair, because a list holds one row for each of its names. */
export const idOf = ({ name, keyId }: PushKey): string => (name === null ? `key ${keyId}` : `name ${name}`);

/** Whether the key may push once the draft is saved. The key of GitHub’s pushes stays as long as the continuous deployment. */
export function isChosen({ hasLists }: Pick<PushList, 'hasLists'>, key: PushKey, draft: PushDraft): boolean {
  if (key.deploys) return true;
  const now = hasLists ? key.listed : key.standing === 'named';
  return draft.get(idOf(key)) ?? now;
}

/** The change that a draft asks for; null: none. `isEmpty`: nobody would be on the list, which lets everybody push. */
export function changeOf(list: PushList, draft: PushDraft): { body: Body | null; isEmpty: boolean } {
  const chosen = list.keys.filter((key) => isChosen(list, key, draft));
  const add = chosen.flatMap(({ name, keyId }) => (name === null && keyId !== null ? [keyId] : []));
  if (!list.hasLists) return { body: add.length > 0 ? { from: null, to: [], add } : null, isEmpty: false };
  const from = list.keys.flatMap(({ name, listed }) => (name !== null && listed ? [name] : []));
  const isTouched = list.keys.some(
    (key) => isChosen(list, key, draft) !== key.listed && (!key.deploys || from.length > 0),
  );
  if (!isTouched) return { body: null, isEmpty: false };
  // What stays on the list is no matter of which key it is.
  const to = chosen.flatMap(({ name, listed, fingerprints }) =>
    name === null ? [] : { key: name, fingerprints: listed ? [] : fingerprints },
  );
  const isEmpty = to.length + add.length === 0;
  return { body: isEmpty ? null : { from, to, add }, isEmpty };
}
