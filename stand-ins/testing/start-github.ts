import type { z } from 'zod';
import type { HostileAnswer } from '../src/github/index.ts';
import {
  type ArchiveFault,
  type DeployKeyAtGithub,
  type NewRepositoryAtGithub,
  type PersonAtGithub,
  type RepositoryAtGithub,
  githubVerbs as verbs,
} from './github-verbs.ts';
import { lendProcess } from './lend-process.ts';

/** Repositories are named `owner/name`. Files and commits are those of the default branch. */
export type GithubProcess = AsyncDisposable &
  z.output<typeof verbs.begin.told> & {
    /** Somebody whose first address is verified there. */
    addPerson(login: string, email?: string): Promise<PersonAtGithub>;
    changePerson(id: number, to: PersonChange): Promise<void>;
    /** Resolves with its first commit. */
    addRepository(made: NewRepositoryAtGithub): Promise<string>;
    removeRepository(repository: string): Promise<void>;
    renameRepository(repository: string, name: string): Promise<void>;
    makePrivate(repository: string): Promise<void>;
    /** Lets somebody beside the owner read it; null: nobody like that any more. */
    setMember(repository: string, person: number, may: Rights | null): Promise<void>;
    /** Changes the file without a commit. Null: it is gone. */
    setFile(repository: string, path: string, text: string | null): Promise<void>;
    /** Resolves with the commit. */
    commit(repository: string, made: { path: string; text: string; message: string }): Promise<string>;
    /** A branch at the commit of the default branch. */
    addBranch(repository: string, name: string): Promise<void>;
    /** Takes changes of the default branch by a pull request only. */
    protect(repository: string): Promise<void>;
    setDeployKeys(repository: string, keys: readonly DeployKeyAtGithub[]): Promise<void>;
    forbidDeployKeys(repository: string, isForbidden: boolean): Promise<void>;
    /** Replaces the key for which the console seals secrets. */
    replaceSecretKey(repository: string): Promise<void>;
    /** The latest run ends well. */
    endRun(repository: string): Promise<void>;
    readRepository(repository: string): Promise<RepositoryAtGithub>;
    /** What `GET /meta` tells of the git host; null: nothing. */
    tellHostKeys(keys: readonly string[] | null): Promise<void>;
    grant(token: string, to: { person: number; scopes: readonly string[] }): Promise<void>;
    /** The tokens that GitHub takes, in their order, and whose they are. */
    grants(): Promise<{ token: string; login: string }[]>;
    revokeAll(): Promise<void>;
    /** The tokens of the archives to which GitHub led somebody so far. */
    archiveTokens(): Promise<string[]>;
    /** Serves archives with this fault; null: without one. */
    spoilArchives(fault: ArchiveFault | null): Promise<void>;
    /** Answers the requests whose `METHOD /path` begins with this text in a hostile way, until `answerWell`. */
    answerBadly(begin: string, how: HostileAnswer): Promise<void>;
    answerWell(): Promise<void>;
    /** `METHOD /path` of every request so far, in order. */
    requests(): Promise<string[]>;
    forgetRequests(): Promise<void>;
    /** What was wrong so far with requests and answers, by GitHub's own document. */
    violations(): Promise<string[]>;
  };

type PersonChange = Omit<z.input<typeof verbs.changePerson.given>, 'id'>;
type Rights = { push: boolean; admin: boolean };

/**
 * Starts GitHub, without persons and repositories, as a process of its own, which holds every request and answer against GitHub's
 * OpenAPI document. Its disposal fails when one did not fit.
 */
export async function startGithub(): Promise<GithubProcess> {
  const { ask, giveBack } = await lendProcess('github-process.ts', verbs);
  const report = await ask(verbs.begin, null);
  return {
    ...report,
    addPerson: (login, email = `${login}@example.com`) =>
      ask(verbs.addPerson, { login, emails: [{ email, primary: true, verified: true }] }),
    changePerson: async (id, to) => void (await ask(verbs.changePerson, { id, ...to })),
    addRepository: (made) => ask(verbs.addRepository, made),
    removeRepository: async (repository) => void (await ask(verbs.removeRepository, repository)),
    renameRepository: async (repository, name) =>
      void (await ask(verbs.renameRepository, { repository, name })),
    makePrivate: async (repository) => void (await ask(verbs.makePrivate, repository)),
    setMember: async (repository, person, may) =>
      void (await ask(verbs.setMember, { repository, person, may })),
    setFile: async (repository, path, text) => void (await ask(verbs.setFile, { repository, path, text })),
    commit: (repository, made) => ask(verbs.commit, { repository, ...made }),
    addBranch: async (repository, name) => void (await ask(verbs.addBranch, { repository, name })),
    protect: async (repository) => void (await ask(verbs.protect, repository)),
    setDeployKeys: async (repository, keys) =>
      void (await ask(verbs.setDeployKeys, { repository, keys: [...keys] })),
    forbidDeployKeys: async (repository, isForbidden) =>
      void (await ask(verbs.forbidDeployKeys, { repository, isForbidden })),
    replaceSecretKey: async (repository) => void (await ask(verbs.replaceSecretKey, repository)),
    endRun: async (repository) => void (await ask(verbs.endRun, repository)),
    readRepository: (repository) => ask(verbs.readRepository, repository),
    tellHostKeys: async (keys) => void (await ask(verbs.tellHostKeys, keys && [...keys])),
    grant: async (token, { person, scopes }) =>
      void (await ask(verbs.grant, { token, person, scopes: [...scopes] })),
    grants: () => ask(verbs.grants, null),
    revokeAll: async () => void (await ask(verbs.revokeAll, null)),
    archiveTokens: () => ask(verbs.archiveTokens, null),
    spoilArchives: async (fault) => void (await ask(verbs.spoilArchives, fault)),
    answerBadly: async (begin, how) => void (await ask(verbs.answerBadly, { begin, how })),
    answerWell: async () => void (await ask(verbs.answerWell, null)),
    requests: () => ask(verbs.requests, null),
    forgetRequests: async () => void (await ask(verbs.forgetRequests, null)),
    violations: () => ask(verbs.violations, null),
    async [Symbol.asyncDispose]() {
      const violations = await ask(verbs.end, null);
      giveBack();
      if (violations.length > 0) throw new Error(`GitHub’s document refuses: ${violations.join('\n')}`);
    },
  };
}
