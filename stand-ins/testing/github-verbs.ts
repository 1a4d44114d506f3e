import { z } from 'zod';
import { hostileAnswers } from '../src/github/index.ts';
import type { Verbs } from './verbs.ts';

const nothing = z.null();
const text = z.string();
const emailsSchema = z.array(z.object({ email: text, primary: z.boolean(), verified: z.boolean() }));
const personSchema = z.object({ id: z.int(), login: text, emails: emailsSchema });
const newRepositorySchema = z.object({
  /** The owner's login. */
  owner: text,
  name: text,
  private: z.boolean().default(false),
  language: text.nullable().default(null),
  description: text.nullable().default(null),
  /** The text of each file, by its path. */
  files: z.record(z.string(), text).default({}),
});
const deployKeySchema = z.object({
  id: z.int(),
  title: text,
  key: text,
  readOnly: z.boolean(),
});
const repositorySchema = z.object({
  /** The text of each secret by its name, as the runner would see it. */
  secrets: z.record(z.string(), text),
  deployKeys: z.array(deployKeySchema),
  pulls: z.array(z.object({ title: text, head: text, base: text })),
  branches: z.record(z.string(), z.object({ commit: text, files: z.record(z.string(), text) })),
});
const fileSchema = z.object({
  repository: text,
  path: text,
  /** Null: the branch does not have the file any more. */
  text: text.nullable(),
});
const archiveFaultSchema = z.enum(['cut_off', 'half', 'announces_too_much', 'stands_still']);

export type PersonAtGithub = z.output<typeof personSchema>;
export type NewRepositoryAtGithub = z.input<typeof newRepositorySchema>;
export type RepositoryAtGithub = z.output<typeof repositorySchema>;
export type DeployKeyAtGithub = z.output<typeof deployKeySchema>;
export type ArchiveFault = z.output<typeof archiveFaultSchema>;

/** What may be asked of the process that is GitHub. Repositories are named `owner/name`. */
export const githubVerbs = {
  begin: {
    given: nothing,
    told: z.object({
      url: text,
      gitHostKeys: text,
      app: z.object({ clientId: text, clientSecret: text }),
    }),
  },
  end: { given: nothing, told: z.array(text) },
  addPerson: {
    given: z.object({ login: text, emails: emailsSchema }),
    told: personSchema,
  },
  changePerson: {
    given: z.object({
      id: z.int(),
      login: text.exactOptional(),
      emails: emailsSchema.exactOptional(),
      avatarUrl: text.exactOptional(),
    }),
    told: nothing,
  },
  addRepository: { given: newRepositorySchema, told: text },
  removeRepository: { given: text, told: nothing },
  renameRepository: { given: z.object({ repository: text, name: text }), told: nothing },
  makePrivate: { given: text, told: nothing },
  setMember: {
    given: z.object({
      repository: text,
      person: z.int(),
      may: z.object({ push: z.boolean(), admin: z.boolean() }).nullable(),
    }),
    told: nothing,
  },
  setFile: { given: fileSchema, told: nothing },
  commit: { given: fileSchema.extend({ message: text }), told: text },
  addBranch: { given: z.object({ repository: text, name: text }), told: nothing },
  protect: { given: text, told: nothing },
  setDeployKeys: { given: z.object({ repository: text, keys: z.array(deployKeySchema) }), told: nothing },
  forbidDeployKeys: { given: z.object({ repository: text, isForbidden: z.boolean() }), told: nothing },
  replaceSecretKey: { given: text, told: nothing },
  endRun: { given: text, told: nothing },
  readRepository: { given: text, told: repositorySchema },
  tellHostKeys: { given: z.array(text).nullable(), told: nothing },
  grant: { given: z.object({ token: text, person: z.int(), scopes: z.array(text) }), told: nothing },
  grants: { given: nothing, told: z.array(z.object({ token: text, login: text })) },
  revokeAll: { given: nothing, told: nothing },
  archiveTokens: { given: nothing, told: z.array(text) },
  spoilArchives: { given: archiveFaultSchema.nullable(), told: nothing },
  answerBadly: { given: z.object({ begin: text, how: z.enum(hostileAnswers) }), told: nothing },
  answerWell: { given: nothing, told: nothing },
  requests: { given: nothing, told: z.array(text) },
  forgetRequests: { given: nothing, told: nothing },
  violations: { given: nothing, told: z.array(text) },
} satisfies Verbs;
