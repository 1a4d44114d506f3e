import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';

/** What is to be known of a key before it is chosen; null: nothing. */
export function remarkOf({
  standing,
  fingerprints,
  moreOfName,
  deploys,
  keyId,
  name,
  listed,
}: PushKey): string | null {
  if (standing === 'keyless')
    return `The server has no key of this name${deploys ? ', so GitHub cannot deploy' : ''}.`;
  if (deploys)
    return `GitHub deploys with it${listed ? '' : ', so a change puts it on the list'}. It goes with the continuous deployment.`;
  if (standing === 'misnamed') return 'The server has it under a name that Homeport passes on to no command.';
  const others = fingerprints.length + moreOfName - 1;
  if (others > 0)
    return others === 1
      ? `The server has two keys under the name ${name}: both may push.`
      : `The server has ${others + 1} keys under the name ${name}: all may push.`;
  if (standing === 'absent')
    return 'The server gets it. There it may run Dokku’s commands, and push to every app without a list.';
  return keyId === null ? 'None of your keypairs here.' : null;
}

/** Why the key cannot be chosen or taken off; null: it can. */
export function fixedReason(list: Pick<PushList, 'hasLists' | 'mayAdd'>, key: PushKey): string | null {
  const { standing, deploys } = key;
  if (deploys && !list.hasLists) return 'GitHub deploys with it. It may push to every app of the server.';
  if (deploys || standing === 'misnamed') return remarkOf(key);
  if (standing === 'absent')
    return list.mayAdd ? null : 'The server lacks it, and adding a key there needs root.';
  if (!list.hasLists) return 'May push to every app of the server.';
  if (key.moreOfName > 0 && !key.listed) return 'The server has more keys under the name than Homeport adds.';
  return null;
}

/** Who may push now, in one sentence. */
export function standText({ hasLists, keys, more, odd }: PushList): string {
  if (!hasLists)
    return 'The server lacks the acl plugin, so every key there may push to every app. A key that you add may, too.';
  if (keys.some(({ listed }) => listed) || odd > 0) return 'Only these keys may deploy the app by git push.';
  const there = keys.filter(({ standing }) => standing !== 'absent').length + more;
  if (there === 0) return 'The server has no key, so nobody may push.';
  return 'The app has no list, so every key of the server may push to it. The first key that you choose makes a list: the others may push no longer.';
}
