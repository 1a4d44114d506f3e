import { z } from 'zod';
import type { Ask } from '../../github/client.ts';
import { GithubFailure } from '../../github/refusal.ts';

/** The address of a repository below the REST interface: `owner/name`, then further words. */
export function repositoryPath(fullName: string, ...words: string[]): string {
  const all = [...fullName.split('/'), ...words];
  return `/repos/${all.map(encodeURIComponent).join('/')}`;
}

/** The body of a good answer; null where GitHub has nothing at this address, or does not show it. */
export async function readIfThere<S extends z.ZodType>(
  ask: Ask,
  path: string,
  reply: S,
  query?: Record<string, string>,
): Promise<z.output<S> | null> {
  try {
    const answer = await ask({ method: 'GET', path, reply, ...(query && { query }) });
    return answer.kind === 'read' ? answer.body : null;
  } catch (error) {
    if (error instanceof GithubFailure && error.refusal.kind === 'not_found') return null;
    throw error;
  }
}

/** The same, where GitHub has to have it. */
export async function read<S extends z.ZodType>(ask: Ask, path: string, reply: S): Promise<z.output<S>> {
  const answer = await ask({ method: 'GET', path, reply });
  if (answer.kind === 'read') return answer.body;
  throw new GithubFailure({ kind: 'unreadable' });
}

const currentName = z.object({ full_name: z.string().max(200) });

/**
 * The present name of a repository. GitHub answers a change under a former name with a redirect, which is not followed, so whoever
 * changes something reads the name first.
 */
export async function presentNameOf(ask: Ask, repository: string): Promise<string> {
  return (await read(ask, repositoryPath(repository), currentName)).full_name;
}

/** An address that a page may link to. */
export const linkSchema = z.url({ protocol: /^https?$/ }).max(500);

export const branchAnswer = z.object({
  protected: z.boolean(),
  commit: z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) }),
});

const fileAnswer = z.object({
  type: z.literal('file'),
  encoding: z.string(),
  content: z.string(),
  sha: z.string().max(100),
});

/** A file of a branch, as text; null without it. */
export async function readFile(
  ask: Ask,
  repository: string,
  { path, branch }: { path: string; branch: string },
): Promise<{ text: string; sha: string } | null> {
  const at = repositoryPath(repository, 'contents', path);
  return decoded(await readIfThere(ask, at, fileAnswer, { ref: branch }));
}

/** The readme at the top of the default branch, whatever its name; null without one. */
export async function readReadmeFile(
  ask: Ask,
  repository: string,
): Promise<{ text: string; sha: string } | null> {
  return decoded(await readIfThere(ask, repositoryPath(repository, 'readme'), fileAnswer));
}

function decoded(file: z.output<typeof fileAnswer> | null): { text: string; sha: string } | null {
  if (!file) return null;
  // GitHub leaves the content of a large file out.
  if (file.encoding !== 'base64') throw new GithubFailure({ kind: 'too_long' });
  return { text: Buffer.from(file.content, 'base64').toString('utf8'), sha: file.sha };
}
