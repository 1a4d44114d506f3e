import type { Key } from '@homeport/contract/credentials/schema';
import type { Server } from '@homeport/contract/servers/schema';

export type ConsoleAccountLook = {
  /** The text before the key's name. `after` is the text behind it. */
  before: string;
  key: string;
  after: string;
  /** The name of the action that updates the account. null if the account is up to date. */
  action: 'Update' | 'Take the key away' | null;
};

/** The description of the console's own account on a server. null if Homeport made no account there. */
export function consoleAccountLook(
  server: Pick<Server, 'accountKey' | 'consoleAccount' | 'credential' | 'metal' | 'username'>,
  keys: readonly Pick<Key, 'id' | 'name' | 'fingerprint'>[],
): ConsoleAccountLook | null {
  const { accountKey, consoleAccount, credential, metal, username } = server;
  if (accountKey === null) return null;
  const accepted = keys.find((key) => key.fingerprint === accountKey);
  const key = accepted?.name ?? accountKey;
  if (credential === null)
    return {
      before: 'homeport still lets in the key ',
      key,
      after: ', which Homeport no longer uses. Remove the account on the machine to close it.',
      action: null,
    };
  if (credential === 'password')
    return {
      before: 'homeport still lets in the key ',
      key,
      after: ', though the server is managed with a password.',
      action: 'Take the key away',
    };
  if (accepted?.id !== credential)
    return {
      before: 'homeport still lets in the key ',
      key,
      after: `. Until it is updated, ${username} does all work.`,
      action: 'Update',
    };
  const before = 'homeport lets in the key ';
  if (consoleAccount) return { before, key, after: '. App actions run through it.', action: null };
  if (metal) return { before, key, after: '.', action: null };
  return { before, key, after: `, but is not in use: ${username} does all work.`, action: 'Update' };
}
