import { z } from 'zod';
import { type Ask, askWith } from './client.ts';
import { type Exchanged, endAtGithub } from './consent.ts';
import type { GithubSettings, OAuthApp } from './settings.ts';

/** Who agreed. `id` is the identity: a login may change hands. */
export type GithubPerson = { id: number; login: string; name: string | null };

const idSchema = z.number().int().positive();
const loginSchema = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/);
const userSchema = z.object({ id: idSchema, login: loginSchema, name: z.string().max(1_000).nullish() });
const emailsSchema = z
  .array(z.object({ email: z.email().max(254), primary: z.boolean(), verified: z.boolean() }))
  .max(1_000);

/** Asks GitHub anew after every consent: the browser may be signed in there with another account than last time. */
export async function readPerson(settings: GithubSettings, { token }: Exchanged): Promise<GithubPerson> {
  const { id, login, name } = await read(askWith(settings, token), '/user', userSchema);
  return { id, login, name: name ?? null };
}

/** The same for a new token, which ends where GitHub does not say whose it is: nobody would keep it. */
export async function readPersonOrEnd(
  settings: GithubSettings,
  app: OAuthApp,
  granted: Exchanged,
): Promise<GithubPerson> {
  try {
    return await readPerson(settings, granted);
  } catch (error) {
    await endAtGithub(settings, app, 'token', granted.token);
    throw error;
  }
}

/** The person's first address, if GitHub has verified it. */
export async function readVerifiedEmail(
  settings: GithubSettings,
  { token }: Exchanged,
): Promise<string | null> {
  const emails = await read(askWith(settings, token), '/user/emails', emailsSchema);
  return emails.find(({ primary, verified }) => primary && verified)?.email.toLowerCase() ?? null;
}

async function read<S extends z.ZodType>(ask: Ask, path: string, reply: S): Promise<z.output<S>> {
  const answer = await ask({ method: 'GET', path, reply });
  if (answer.kind === 'unchanged') throw new Error('An answer without an entity tag cannot be unchanged.');
  return answer.body;
}
