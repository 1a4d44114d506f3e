import { z } from 'zod';
import {
  addRepository,
  commit,
  hostileAnswers,
  type Person,
  type Repository,
  startGithub,
} from '../src/github/index.ts';
import { githubContract } from './github-document.ts';
import { obey, verb } from './obey.ts';

// A process that is GitHub and nothing else. `start-github.ts` starts it.

const github = await startGithub({ checks: githubContract() });
const { state } = github;

function personOf(login: string): Person {
  const person = state.people.find((each) => each.login === login);
  if (!person) throw new Error(`There is no person ${login}.`);
  return person;
}

function repositoryOf(fullName: string): Repository {
  const repository = state.repositories.find(({ owner, name }) => `${owner.login}/${name}` === fullName);
  if (!repository) throw new Error(`There is no repository ${fullName}.`);
  return repository;
}

let people = 9_000;

obey(
  {
    addPerson: verb(z.string(), (begin) => {
      people += 1;
      const login = `${begin}-${people}`;
      const emails = [{ email: `${login}@example.com`, primary: true, verified: true }];
      state.people.push({ id: people, login, name: 'Octo Lantern', emails });
      return login;
    }),
    addRepository: verb(
      z.object({
        owner: z.string(),
        name: z.string(),
        private: z.boolean().default(false),
        language: z.string().nullable().default(null),
        description: z.string().nullable().default(null),
        files: z.record(z.string(), z.string()).default({}),
      }),
      ({ owner, ...made }) => {
        const repository = addRepository(state, { ...made, owner: personOf(owner) });
        return repository.branches.get(repository.defaultBranch)?.commit ?? '';
      },
    ),
    commit: verb(
      z.object({ repository: z.string(), path: z.string(), text: z.string(), message: z.string() }),
      (given) => {
        const repository = repositoryOf(given.repository);
        repository.branches.get(repository.defaultBranch)?.files.set(given.path, given.text);
        commit(state, repository, repository.defaultBranch, given.message);
      },
    ),
    makePrivate: verb(z.string(), (fullName) => {
      repositoryOf(fullName).private = true;
    }),
    tellHostKeys: verb(z.array(z.string()), (keys) => {
      state.sshKeys = keys;
    }),
    deployKeysOf: verb(z.string(), (fullName) => repositoryOf(fullName).deployKeys),
    secretsOf: verb(z.string(), (fullName) =>
      Object.fromEntries([...repositoryOf(fullName).secrets].map(([name, { text }]) => [name, text])),
    ),
    endRun: verb(z.string(), (fullName) => {
      const [run] = repositoryOf(fullName).runs;
      if (!run) throw new Error(`${fullName} has no run.`);
      Object.assign(run, { status: 'completed', conclusion: 'success' });
    }),
    answerBadly: verb(z.object({ begin: z.string(), how: z.enum(hostileAnswers) }), ({ begin, how }) => {
      github.hostile.set(begin, how);
    }),
    answerWell: verb(z.null(), () => github.hostile.clear()),
    violations: verb(z.null(), () => github.violations),
  },
  { url: github.url, gitHostKeys: github.gitHostKeys, app: github.app },
  () => github[Symbol.asyncDispose](),
);
