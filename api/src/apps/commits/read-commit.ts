import type { FoundCommit } from '@homeport/contract/github/schema';
import type { Owner } from '@homeport/store';
import { z } from 'zod';
import { askReading, type GithubDeps } from '../../github/account.ts';
import type { Ask } from '../../github/client.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { linkSchema, read, readIfThere, repositoryPath } from '../continuous/repository.ts';

export const repositoryAnswer = z.object({ private: z.boolean() });

export const commitAnswer = z.object({
  sha: z.string().regex(/^[0-9a-f]{40,64}$/),
  html_url: linkSchema,
  commit: z.object({
    message: z.string().transform((text) => (text.split('\n', 1)[0] ?? '').slice(0, 200)),
    author: z
      .object({
        name: z
          .string()
          .transform((text) => text.slice(0, 200))
          .optional(),
        date: z.iso
          .datetime({ offset: true })
          .transform((text) => Date.parse(text))
          .optional(),
      })
      .nullable(),
  }),
});

/** Asks GitHub which commit a branch or a commit's name means; null: none. */
export function readCommit(
  deps: GithubDeps,
  owner: Owner,
  { repository, ref }: { repository: string; ref: string },
): Promise<FoundCommit | null> {
  return askReading(deps, owner, 'name the commit', async (ask) => {
    const { private: isPrivate } = await read(ask, repositoryPath(repository), repositoryAnswer);
    const found = await findCommit(ask, repository, ref);
    if (!found) return null;
    const { message, author } = found.commit;
    return {
      sha: found.sha,
      title: message,
      author: author?.name ?? null,
      at: author?.date ?? null,
      url: found.html_url,
      private: isPrivate,
    };
  });
}

/**
 * The commit that a name means; null: none. GitHub answers 422 where the name can be no commit, and 409 in an empty repository.
 */
export async function findCommit(
  ask: Ask,
  repository: string,
  ref: string,
): Promise<z.output<typeof commitAnswer> | null> {
  try {
    return await readIfThere(ask, repositoryPath(repository, 'commits', ref), commitAnswer);
  } catch (error) {
    const isUnnamed =
      error instanceof GithubFailure &&
      (error.refusal.kind === 'invalid' || error.refusal.kind === 'conflict');
    if (isUnnamed) return null;
    throw error;
  }
}
