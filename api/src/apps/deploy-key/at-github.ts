import { z } from 'zod';
import type { Ask } from '../../github/client.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { presentNameOf, readIfThere, repositoryPath } from '../continuous/repository.ts';

const keyAnswer = z.object({
  id: z.number().int().positive(),
  key: z.string().max(5_000),
  read_only: z.boolean(),
});
type KeyAnswer = z.output<typeof keyAnswer>;

/** A repository with more keys is left alone: GitHub tells by a refusal that it has this one. */
const mostPages = 5;

/** Without the comment that GitHub may leave behind the key. */
const blobOf = (key: string) => key.split(' ').slice(0, 2).join(' ');

const fits = (found: KeyAnswer, publicKey: string) => found.read_only && blobOf(found.key) === publicKey;

/**
 * Has GitHub hold this key as one of the repository that only reads. Returns its number, and whether it is new there. A key that GitHub
 * has already is used again: an answer may have been lost. One that may write is replaced.
 */
export async function holdReadOnlyKey(
  ask: Ask,
  {
    repository,
    title,
    publicKey,
    id,
  }: { repository: string; title: string; publicKey: string; id: number | null },
): Promise<{ id: number; isNew: boolean }> {
  const byId = id === null ? null : await readIfThere(ask, keyPath(repository, id), keyAnswer);
  if (byId && fits(byId, publicKey)) return { id: byId.id, isNew: false };
  const listed = await findListed(ask, repository, publicKey);
  if (listed && fits(listed, publicKey)) return { id: listed.id, isNew: false };
  if (listed) await removeKey(ask, repository, listed.id);
  const made = await ask({
    method: 'POST',
    path: repositoryPath(repository, 'keys'),
    body: { title, key: publicKey, read_only: true },
    reply: keyAnswer,
  });
  if (made.kind !== 'read') throw new GithubFailure({ kind: 'unreadable' });
  if (fits(made.body, publicKey)) return { id: made.body.id, isNew: true };
  // A key that may write, or another one, is not what the person agreed to.
  await removeKey(ask, repository, made.body.id);
  throw new GithubFailure({ kind: 'unreadable' });
}

async function findListed(ask: Ask, repository: string, publicKey: string): Promise<KeyAnswer | null> {
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask({
      method: 'GET',
      path: repositoryPath(repository, 'keys'),
      query: { per_page: '100', page: String(page) },
      reply: z.array(keyAnswer),
    });
    if (answer.kind !== 'read') throw new GithubFailure({ kind: 'unreadable' });
    const found = answer.body.find(({ key }) => blobOf(key) === publicKey);
    if (found) return found;
    if (!answer.hasNext) return null;
  }
  return null;
}

/** What the console knows of a key that goes. Without a number, GitHub's answer was lost, and GitHub may have the key all the same. */
export type LeavingKey = { repository: string; id: number | null; publicKey: string | null };

/** Removes a key, which is looked up by its public half where its number is unknown. False: GitHub does not have it. */
export async function removeDeployKey(ask: Ask, { repository, id, publicKey }: LeavingKey): Promise<boolean> {
  try {
    const name = await presentNameOf(ask, repository);
    const known = id ?? (publicKey && (await findListed(ask, name, publicKey))?.id);
    if (!known) return false;
    await removeKey(ask, name, known);
    return true;
  } catch (error) {
    if (error instanceof GithubFailure && error.refusal.kind === 'not_found') return false;
    throw error;
  }
}

async function removeKey(ask: Ask, repository: string, id: number): Promise<void> {
  // 204 without a body. Anything else did not come from GitHub, and the key may be there still.
  await ask({ method: 'DELETE', path: keyPath(repository, id), reply: z.undefined() });
}

const keyPath = (repository: string, id: number) => repositoryPath(repository, 'keys', String(id));
