import { z } from 'zod';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';

/** The parameters with which GitHub leads a browser back. */
export const consentSchema = z.strictObject({
  code: storableText(200).min(1, 'The code of GitHub is missing.'),
  state: storableText(200).min(1, 'The state of GitHub is missing.'),
});

/** A person's account at GitHub. The token itself never leaves the console. */
export const githubAccountSchema = z
  .object({
    login: z.string(),
    /** The account's page. */
    url: z.string(),
    /** The last four characters of the token. */
    tokenEnd: z.string(),
    /** The scopes that the person granted. */
    scopes: z.array(z.string()),
    /** False: the grant does not cover repositories, secrets and workflow files. */
    canDeploy: z.boolean(),
    /** GitHub refused the token: the person has to link the account again. */
    linkAgain: z.boolean(),
    /** The person can sign in with a password too, so the account may be unlinked. */
    hasOtherWay: z.boolean(),
    linkedAt: epochMsSchema,
  })
  .meta({ id: 'GithubAccount' });
export type GithubAccount = z.output<typeof githubAccountSchema>;

export const githubSchema = z
  .object({
    /** The host of the GitHub that this console works with; null: none is set up. */
    host: z.string().nullable(),
    account: githubAccountSchema.nullable(),
  })
  .meta({ id: 'Github' });
export type Github = z.output<typeof githubSchema>;

export const repositorySchema = z
  .object({
    /** GitHub's number, which stays when the repository is renamed. */
    id: z.number().int(),
    fullName: z.string(),
    private: z.boolean(),
    language: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string(),
    defaultBranch: z.string(),
    archived: z.boolean(),
    /** The person may push, which a deployment of each push needs. */
    canPush: z.boolean(),
    pushedAt: epochMsSchema.nullable(),
  })
  .meta({ id: 'Repository' });
export type Repository = z.output<typeof repositorySchema>;

export const repositoryListSchema = z
  .object({
    /** Pushed last first. */
    repositories: z.array(repositorySchema),
    /** When GitHub was asked last; null: never. */
    readAt: epochMsSchema.nullable(),
    /** There are more than are kept. */
    more: z.boolean(),
    /** Where a person asks an organisation to let this console see its repositories; null without GitHub. */
    accessUrl: z.string().nullable(),
  })
  .meta({ id: 'RepositoryList' });
export type RepositoryList = z.output<typeof repositoryListSchema>;

export const githubRoutes = {
  'GET /api/github': {
    access: 'signed-in',
    summary: 'The linked GitHub account and what it allows',
    reply: githubSchema,
  },
  'POST /api/github/link': {
    access: 'signed-in',
    summary: 'Begin to link a GitHub account: the address at GitHub where the person agrees',
    reply: z.object({ url: z.string() }),
  },
  'POST /api/github/link/finish': {
    access: 'signed-in',
    summary: 'Link the GitHub account with which the person agreed; replaces an earlier grant',
    body: consentSchema,
    reply: githubSchema,
  },
  'POST /api/github/unlink': {
    access: 'signed-in',
    summary: 'Unlink the GitHub account and end its grant; needs another way to sign in',
    reply: githubSchema,
  },
  'GET /api/github/repositories': {
    access: 'signed-in',
    summary: 'The repositories that GitHub listed last; asks GitHub nothing',
    reply: repositoryListSchema,
  },
  'POST /api/github/repositories/refresh': {
    access: 'signed-in',
    summary: 'Ask GitHub for the repositories, and keep the answer',
    reply: repositoryListSchema,
  },
} as const satisfies RouteTable;

export const byApp = z.object({ id: idSchema });
