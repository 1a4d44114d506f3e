import { z } from 'zod';
import { gitRef, repositoryName } from '../apps/repository-fields.ts';
import { trimmedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import { operationSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import { deployKeyObstacles, githubLinkKinds, githubTokenCharacters, privateWays } from './facts.ts';

/** The parameters with which GitHub leads a browser back. */
export const consentSchema = z.strictObject({
  code: storableText(200).min(1, 'The code of GitHub is missing.'),
  state: storableText(200).min(1, 'The state of GitHub is missing.'),
});

/** A person's account at GitHub. The token itself never leaves the console. */
export const githubAccountSchema = z
  .object({
    kind: z.enum(githubLinkKinds),
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
    /** The host of the GitHub that this console works with. */
    host: z.string(),
    /** The console has an OAuth app there, so that accounts are linked by consent. */
    canConsent: z.boolean(),
    /** The page where a person makes and deletes access tokens. */
    tokensPage: z.string(),
    account: githubAccountSchema.nullable(),
  })
  .meta({ id: 'Github' });
export type Github = z.output<typeof githubSchema>;

export const githubAppSchema = z
  .object({
    /** Null: no app is set up. */
    clientId: z.string().nullable(),
    /** `settings`: the operator set it where the console is started, so that no page changes it. */
    from: z.enum(['settings', 'page']).nullable(),
    /** Where the owner makes an app at GitHub. */
    newAppPage: z.string(),
    /** The callback address to enter there. */
    callbackUrl: z.string(),
  })
  .meta({ id: 'GithubApp' });
export type GithubApp = z.output<typeof githubAppSchema>;

export const unlinkedGithubSchema = githubSchema
  .extend({
    /**
     * The page at GitHub where the person revokes the grant, if GitHub did not say that the grant is over. The console has forgotten
     * the token in any case. Null: the grant is over.
     */
    grantLeftAt: z.string().nullable(),
  })
  .meta({ id: 'UnlinkedGithub' });
export type UnlinkedGithub = z.output<typeof unlinkedGithubSchema>;

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
    confirm: true,
    summary: 'Begin to link a GitHub account: the address at GitHub where the person agrees',
    reply: z.object({ url: z.string() }),
  },
  'POST /api/github/link/finish': {
    access: 'signed-in',
    summary: 'Link the GitHub account with which the person agreed; replaces an earlier grant',
    body: consentSchema,
    reply: githubSchema,
  },
  'POST /api/github/token': {
    access: 'signed-in',
    confirm: true,
    summary: 'Link the GitHub account that an access token belongs to; replaces an earlier grant',
    body: z.strictObject({
      token: trimmedText(githubTokenCharacters, 'That is no access token of GitHub.').regex(
        /^[A-Za-z0-9_]{20,}$/,
        'That is no access token of GitHub.',
      ),
    }),
    reply: githubSchema,
  },
  'GET /api/github/app': {
    access: 'owner',
    summary: 'The OAuth app of this console at GitHub',
    reply: githubAppSchema,
  },
  'PUT /api/github/app': {
    access: 'owner',
    confirm: true,
    summary: 'Set the OAuth app of this console at GitHub',
    body: z.strictObject({
      /** The client id, as GitHub shows it. */
      client: trimmedText(100, 'That is no client id.').regex(/^[A-Za-z0-9._-]+$/, 'That is no client id.'),
      secret: trimmedText(200, 'That is no client secret.').regex(
        /^[A-Za-z0-9_-]+$/,
        'That is no client secret.',
      ),
    }),
    reply: githubAppSchema,
  },
  'DELETE /api/github/app': {
    access: 'owner',
    summary: 'Forget the OAuth app; linked accounts stay until GitHub refuses them',
    reply: githubAppSchema,
  },
  'POST /api/github/unlink': {
    access: 'signed-in',
    summary: 'Unlink the GitHub account and end its grant; needs another way to sign in',
    reply: unlinkedGithubSchema,
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

const byApp = z.object({ id: idSchema });

/** What set-up would do to the repository and the server. Nothing was changed yet. */
export const deploymentPlanSchema = z
  .object({
    repository: z.string(),
    /** The repository's default branch. */
    branch: z.string(),
    /** The branch takes changes by pull request only, as far as GitHub tells before it is tried. */
    isProtected: z.boolean(),
    /** The file that would be committed, letter for letter. */
    workflow: z.string(),
    /** What stands in its place now: nothing, the same file, or another one that would be replaced. */
    existing: z.enum(['none', 'same', 'other']),
    /** The repository has the secret already. It would be replaced. */
    hasSecret: z.boolean(),
    /** The key that the page seals the secret with: GitHub's, for this repository. */
    sealingKey: z.object({ id: z.string(), key: z.string() }),
    /**
     * Who else the new key reaches. `this_app`: the app's own list of keys names it. `open_apps`: this app has
     * no list, like every other app without one. `every_app`: the server keeps no lists.
     */
    reach: z.enum(['this_app', 'open_apps', 'every_app']),
    /** The server has an IPv4 address, or its name leads to one. GitHub’s own runners have no IPv6. */
    hasIpv4: z.boolean(),
    /** The branch that Dokku would build from then on, if it is another one now. */
    deployBranchBefore: z.string().nullable(),
  })
  .meta({ id: 'DeploymentPlan' });
export type DeploymentPlan = z.output<typeof deploymentPlanSchema>;

export const workflowRunSchema = z
  .object({
    id: z.number().int(),
    title: z.string(),
    state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    url: z.string(),
    startedAt: epochMsSchema,
  })
  .meta({ id: 'WorkflowRun' });
export type WorkflowRun = z.output<typeof workflowRunSchema>;

/** The parts of a set-up that are done. */
export const continuousDeploymentSchema = z
  .object({
    repository: z.string(),
    branch: z.string(),
    /** The fingerprint of the key on the server; null: not there yet, or taken away. */
    fingerprint: z.string().nullable(),
    secretSetAt: epochMsSchema.nullable(),
    commitUrl: z.string().nullable(),
    /** The pull request that waits for somebody to merge it. */
    pullUrl: z.string().nullable(),
  })
  .meta({ id: 'ContinuousDeployment' });
export type ContinuousDeployment = z.output<typeof continuousDeploymentSchema>;

/** An Ed25519 public key as OpenSSH writes it, without a comment. */
const publicKeySchema = storableText(200).regex(
  /^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}$/,
  'This is not an Ed25519 key.',
);

/** The commit that a branch or a commit's name means, as GitHub tells it. */
export const foundCommitSchema = z
  .object({
    sha: z.string(),
    /** The first line of its message. */
    title: z.string(),
    author: z.string().nullable(),
    at: epochMsSchema.nullable(),
    url: z.string(),
    /** A server needs a key to fetch it; without one the console passes an archive on. */
    private: z.boolean(),
  })
  .meta({ id: 'FoundCommit' });
export type FoundCommit = z.output<typeof foundCommitSchema>;

/** The pair with which an app's server fetches the app's private repository. */
export const deployKeySchema = z
  .object({
    repository: z.string(),
    /** Its name at GitHub, with server and app. */
    title: z.string(),
    /** Null: the server has none, because GitHub refused it. */
    fingerprint: z.string().nullable(),
    /** GitHub has it, as far as the console knows. */
    atGithub: z.boolean(),
    /** The keys of the repository at GitHub, for people who want to look or to remove it by hand. */
    url: z.string(),
    createdAt: epochMsSchema,
  })
  .meta({ id: 'DeployKey' });
export type DeployKey = z.output<typeof deployKeySchema>;

/** What a deploy with the app's deploy key would put where. */
export const deployKeyPlanSchema = z
  .object({
    repository: z.string(),
    /** The key of this repository that is there already; null: the deploy makes one. */
    key: deployKeySchema.nullable(),
    title: z.string(),
    /** The folder on the server with the private half. */
    folder: z.string(),
    /** The name that stands for GitHub's git host in ssh's settings of the user dokku. */
    alias: z.string(),
    /** GitHub's git host, and the port if it is not 22. */
    host: z.string(),
    /** Why the key cannot be had, and a sentence for the person; null: it can. */
    obstacle: z.object({ reason: z.enum(deployKeyObstacles), text: z.string() }).nullable(),
  })
  .meta({ id: 'DeployKeyPlan' });
export type DeployKeyPlan = z.output<typeof deployKeyPlanSchema>;

export const repositoryReadmeSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('too_long') }),
    z.object({ kind: z.literal('text'), text: z.string() }),
  ])
  .meta({ id: 'RepositoryReadme' });
export type RepositoryReadme = z.output<typeof repositoryReadmeSchema>;

export const continuousRoutes = {
  'GET /api/apps/:id/repository/readme': {
    access: 'signed-in',
    summary: 'The readme of the linked repository, as GitHub has it',
    params: byApp,
    reply: repositoryReadmeSchema,
  },
  'GET /api/apps/:id/commit': {
    access: 'signed-in',
    summary:
      'The commit of the linked repository that a branch or a commit’s name means; null: none. Asks GitHub',
    params: byApp,
    /** Without a name: the repository's branch. */
    query: z.object({ ref: gitRef.optional() }),
    reply: foundCommitSchema.nullable(),
  },
  'POST /api/apps/:id/deploy-commit': {
    access: 'signed-in',
    summary:
      'Have the server build a commit of the linked repository and deploy it. A private one needs a linked GitHub account',
    params: byApp,
    body: z.strictObject({
      repository: repositoryName,
      ref: gitRef,
      /** Of a private repository. `key` agrees to what the plan of the deploy key shows. */
      way: z.enum(privateWays).default('archive'),
    }),
    reply: operationSchema,
    status: 202,
  },
  'GET /api/apps/:id/deploy-key': {
    access: 'signed-in',
    summary: 'The app’s deploy key; null: none. Asks nobody',
    params: byApp,
    reply: deployKeySchema.nullable(),
  },
  'GET /api/apps/:id/deploy-key/plan': {
    access: 'signed-in',
    summary: 'What a deploy with the app’s deploy key would put where, or why it cannot be had. Asks GitHub',
    params: byApp,
    reply: deployKeyPlanSchema,
  },
  'POST /api/apps/:id/deploy-key/remove': {
    access: 'signed-in',
    summary: 'Remove the app’s deploy key from the server and from GitHub',
    params: byApp,
    reply: operationSchema,
    status: 202,
  },
  'GET /api/apps/:id/continuous-deployment': {
    access: 'signed-in',
    summary: 'What is set up for deployments by GitHub Actions; asks nobody',
    params: byApp,
    reply: continuousDeploymentSchema.nullable(),
  },
  'GET /api/apps/:id/continuous-deployment/plan': {
    access: 'signed-in',
    summary: 'What a set-up would do, read from GitHub and from the server',
    params: byApp,
    reply: deploymentPlanSchema,
  },
  'GET /api/apps/:id/continuous-deployment/runs': {
    access: 'signed-in',
    summary: 'The last runs of the workflow at GitHub, newest first',
    params: byApp,
    reply: z.array(workflowRunSchema),
  },
  'POST /api/apps/:id/continuous-deployment': {
    access: 'signed-in',
    summary:
      'Put the key on the server, the sealed secret and the workflow into the repository, in this order',
    params: byApp,
    body: z.strictObject({
      /** The public half of the pair that the page made. */
      publicKey: publicKeySchema,
      /** The private half, sealed in the page for the repository. The console cannot open it. */
      secret: z.strictObject({
        keyId: storableText(100).min(1),
        sealed: storableText(2_000).regex(/^[A-Za-z0-9+/]{64,}={0,2}$/),
      }),
      /** The file that the person saw. */
      workflow: storableText(10_000).min(1),
      repository: storableText(140).min(1),
      branch: storableText(250).min(1),
    }),
    reply: operationSchema,
    status: 202,
  },
  'POST /api/apps/:id/continuous-deployment/remove': {
    access: 'signed-in',
    summary: 'Take the workflow, the secret and the key away again',
    params: byApp,
    reply: operationSchema,
    status: 202,
  },
} as const satisfies RouteTable;
