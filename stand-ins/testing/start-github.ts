import { z } from 'zod';
import type { HostileAnswer } from '../src/github/index.ts';
import { runProcess } from './run-process.ts';

const reportSchema = z.object({
  url: z.string(),
  gitHostKeys: z.string(),
  app: z.object({ clientId: z.string(), clientSecret: z.string() }),
});
const deployKeySchema = z.object({ title: z.string(), key: z.string(), readOnly: z.boolean() });

export type NewRepositoryAtGithub = {
  /** The owner's login. */
  owner: string;
  name: string;
  private?: boolean;
  language?: string;
  description?: string;
  /** The text of each file, by its path. */
  files?: Readonly<Record<string, string>>;
};

/** Repositories are named `owner/name`. */
export type GithubProcess = z.output<typeof reportSchema> & {
  /** Resolves with the login, which begins with this text. */
  addPerson(begin: string): Promise<string>;
  /** Resolves with its first commit. */
  addRepository(made: NewRepositoryAtGithub): Promise<string>;
  commit(repository: string, made: { path: string; text: string; message: string }): Promise<void>;
  makePrivate(repository: string): Promise<void>;
  /** What `GET /meta` tells of the git host. */
  tellHostKeys(keys: readonly string[]): Promise<void>;
  deployKeysOf(repository: string): Promise<z.output<typeof deployKeySchema>[]>;
  /** The texts of the secrets, by their names, as the runner would see them. */
  secretsOf(repository: string): Promise<Record<string, string>>;
  /** The latest run ends well. */
  endRun(repository: string): Promise<void>;
  /** Answers the requests whose `METHOD /path` begins with this text in a hostile way, until `answerWell`. */
  answerBadly(begin: string, how: HostileAnswer): Promise<void>;
  answerWell(): Promise<void>;
  /** What was wrong with requests and answers, by GitHub's own document. A test expects none. */
  violations(): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts GitHub as a process of its own, which holds every request and answer against GitHub's OpenAPI document. */
export async function startGithubProcess(): Promise<GithubProcess> {
  const { report, ask, close } = await runProcess('github-process.ts', reportSchema);
  const [text, texts, nothing] = [z.string(), z.array(z.string()), z.null()];
  return {
    ...report,
    addPerson: (begin) => ask('addPerson', begin, text),
    addRepository: (made) => ask('addRepository', made, text),
    commit: async (repository, made) => void (await ask('commit', { repository, ...made }, nothing)),
    makePrivate: async (repository) => void (await ask('makePrivate', repository, nothing)),
    tellHostKeys: async (keys) => void (await ask('tellHostKeys', keys, nothing)),
    deployKeysOf: (repository) => ask('deployKeysOf', repository, z.array(deployKeySchema)),
    secretsOf: (repository) => ask('secretsOf', repository, z.record(z.string(), text)),
    endRun: async (repository) => void (await ask('endRun', repository, nothing)),
    answerBadly: async (begin, how) => void (await ask('answerBadly', { begin, how }, nothing)),
    answerWell: async () => void (await ask('answerWell', null, nothing)),
    violations: () => ask('violations', null, texts),
    close,
  };
}
