import { keysOfName } from '@homeport/contract/apps/push-keys/facts';
import type { PushKeyChange } from '@homeport/contract/apps/push-keys/schema';
import { ProblemError } from '../../http/problem.ts';
import { namesOf } from './describe-keys.ts';
import { inWords } from './plan-list.ts';
import { isPlainName, type KeysOnServer } from './read-on-server.ts';

/**
 * Refuses a name that is to get onto the list where the server has other keys under it than the page showed.
 *
 * @param isSet the names are on the list already
 */
export function refuseOtherKeys(
  { from, to }: Pick<PushKeyChange, 'from' | 'to'>,
  { keys }: KeysOnServer,
  { isSet = false }: { isSet?: boolean } = {},
): void {
  const came = to.filter(({ key }) => !from?.includes(key));
  const there = (name: string) => fingerprintsOf(keys, name);
  const gone = came.filter(({ key }) => there(key).length === 0);
  if (gone.length > 0)
    throw new ProblemError(
      'conflict',
      `The server has no key ${inWords(gone.map(({ key }) => key))} any more.`,
      again,
    );
  const others = came.filter(({ key, fingerprints }) => {
    const now = there(key);
    return now.length !== fingerprints.length || now.some((each) => !fingerprints.includes(each));
  });
  if (others.length === 0) return;
  throw new ProblemError(
    'conflict',
    `The server has another key under the name ${inWords(others.map(({ key }) => key))} than you saw.${isSet ? ' The name is on the list, so that key may push to the app now.' : ''}`,
    again,
  );
}

/**
 * The name by which a list allows this keypair and nothing else; null: the server lacks the key. Somebody may have given another key the
 * name that this one would get.
 */
export function nameOfKeypair(
  { keys }: KeysOnServer,
  { id, fingerprint, name: title }: { id: string; fingerprint: string; name: string },
): string | null {
  const names = namesOf(keys, fingerprint);
  const name = names.find((each) => isPlainName(each) && fingerprintsOf(keys, each).length === 1);
  if (name !== undefined) return name;
  if (names.length > 0)
    throw new ProblemError(
      'conflict',
      `The server has the key ${title} under a name that Homeport passes on to no command, or that another key has too.`,
      { recovery: 'Give the key a plain name of its own on the server.' },
    );
  if (!keys.some((key) => key.name === `homeport-${id}`)) return null;
  throw new ProblemError('conflict', `Another key has the name that ${title} would get on the server.`, {
    recovery: `Run “dokku ssh-keys:remove homeport-${id}” as root there if nobody needs that key.`,
  });
}

const again = { recovery: 'Look at the keys again, and choose anew.' };

/** As many as a page is told, and one more where there are others. */
const fingerprintsOf = (keys: KeysOnServer['keys'], name: string): string[] =>
  [...new Set(keys.filter((key) => key.name === name).map(({ fingerprint }) => fingerprint))].slice(
    0,
    keysOfName + 1,
  );
