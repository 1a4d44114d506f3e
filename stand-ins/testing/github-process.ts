import {
  addRepository,
  commit,
  type GithubStandIn,
  type Person,
  type Repository,
  type State,
  startGithub,
} from '../src/github/index.ts';
import { githubContract } from './github-document.ts';
import { githubVerbs as verbs } from './github-verbs.ts';
import { obey, verb } from './obey.ts';
import { newSealingKey } from './sealed-box.ts';

// A process that is GitHub and nothing else, from `begin` to `end`. `start-github.ts` asks for both.

const checks = githubContract();
let begun: GithubStandIn | null = null;
let people = 583_231;

function now(): GithubStandIn {
  if (!begun) throw new Error('GitHub has not begun.');
  return begun;
}

const state = (): State => now().state;

function personOf(isMeant: (person: Person) => boolean): Person {
  const person = state().people.find(isMeant);
  if (!person) throw new Error('There is no such person.');
  return person;
}

function repositoryOf(fullName: string): Repository {
  const found = state().repositories.find(({ owner, name }) => `${owner.login}/${name}` === fullName);
  if (!found) throw new Error(`There is no repository ${fullName}.`);
  return found;
}

function mainOf(repository: Repository) {
  const branch = repository.branches.get(repository.defaultBranch);
  if (!branch) throw new Error(`${repository.name} has no ${repository.defaultBranch}.`);
  return branch;
}

function setFile(given: { repository: string; path: string; text: string | null }): Repository {
  const repository = repositoryOf(given.repository);
  const { files } = mainOf(repository);
  if (given.text === null) files.delete(given.path);
  else files.set(given.path, given.text);
  return repository;
}

const tellRepository = ({ secrets, deployKeys, pulls, branches }: Repository) => ({
  secrets: Object.fromEntries([...secrets].map(([name, { text }]) => [name, text])),
  deployKeys,
  pulls,
  branches: Object.fromEntries(
    [...branches].map(([name, branch]) => [
      name,
      { commit: branch.commit, files: Object.fromEntries(branch.files) },
    ]),
  ),
});

const lifeAndPeople = {
  /** GitHub without anybody, on a port of its own: what an earlier test left does not reach it. */
  begin: verb(verbs.begin, async () => {
    begun = await startGithub({ checks });
    const { url, gitHostKeys, app } = begun;
    return { url, gitHostKeys, app };
  }),
  end: verb(verbs.end, async () => {
    const github = now();
    begun = null;
    await github[Symbol.asyncDispose]();
    return github.violations;
  }),
  addPerson: verb(verbs.addPerson, ({ login, emails }) => {
    if (state().people.some((each) => each.login === login)) throw new Error(`There is a ${login} already.`);
    people += 1;
    const person = { id: people, login, name: `${login} of GitHub`, emails };
    state().people.push(person);
    return person;
  }),
  changePerson: verb(verbs.changePerson, ({ id, ...to }) => {
    Object.assign(
      personOf((each) => each.id === id),
      to,
    );
  }),
};

const repositories = {
  addRepository: verb(verbs.addRepository, ({ owner, ...made }) => {
    const person = personOf(({ login }) => login === owner);
    return mainOf(addRepository(state(), { ...made, owner: person })).commit;
  }),
  removeRepository: verb(verbs.removeRepository, (fullName) => {
    const gone = repositoryOf(fullName);
    state().repositories = state().repositories.filter((each) => each !== gone);
  }),
  renameRepository: verb(verbs.renameRepository, ({ repository, name }) => {
    const renamed = repositoryOf(repository);
    renamed.formerNames.push(renamed.name);
    renamed.name = name;
  }),
  makePrivate: verb(verbs.makePrivate, (fullName) => {
    repositoryOf(fullName).private = true;
  }),
  setMember: verb(verbs.setMember, ({ repository, person, may }) => {
    const { members } = repositoryOf(repository);
    if (may) members.set(person, may);
    else members.delete(person);
  }),
  setFile: verb(verbs.setFile, (file) => void setFile(file)),
  commit: verb(verbs.commit, ({ message, ...file }) => {
    const repository = setFile(file);
    return commit(state(), repository, repository.defaultBranch, message).commit;
  }),
  addBranch: verb(verbs.addBranch, ({ repository: fullName, name }) => {
    const repository = repositoryOf(fullName);
    const main = mainOf(repository);
    repository.branches.set(name, { ...main, files: new Map(main.files) });
  }),
  protect: verb(verbs.protect, (fullName) => {
    mainOf(repositoryOf(fullName)).protected = true;
  }),
  setDeployKeys: verb(verbs.setDeployKeys, ({ repository, keys }) => {
    repositoryOf(repository).deployKeys = keys;
  }),
  forbidDeployKeys: verb(verbs.forbidDeployKeys, ({ repository, isForbidden }) => {
    repositoryOf(repository).forbidsDeployKeys = isForbidden;
  }),
  replaceSecretKey: verb(verbs.replaceSecretKey, (fullName) => {
    repositoryOf(fullName).secretKey = newSealingKey();
  }),
  endRun: verb(verbs.endRun, (fullName) => {
    const [run] = repositoryOf(fullName).runs;
    if (!run) throw new Error(`${fullName} has no run.`);
    Object.assign(run, { status: 'completed', conclusion: 'success' });
  }),
  readRepository: verb(verbs.readRepository, (fullName) => tellRepository(repositoryOf(fullName))),
};

obey<typeof verbs>({
  ...lifeAndPeople,
  ...repositories,
  tellHostKeys: verb(verbs.tellHostKeys, (keys) => {
    state().sshKeys = keys;
  }),
  grant: verb(verbs.grant, ({ token, person: id, scopes }) => {
    state().grants.set(token, { person: personOf((each) => each.id === id), scopes });
  }),
  grants: verb(verbs.grants, () =>
    [...state().grants].map(([token, { person }]) => ({ token, login: person.login })),
  ),
  revokeAll: verb(verbs.revokeAll, () => state().grants.clear()),
  archiveTokens: verb(verbs.archiveTokens, () => [...state().archives.keys()]),
  spoilArchives: verb(verbs.spoilArchives, (fault) => {
    state().archiveFault = fault;
  }),
  answerBadly: verb(verbs.answerBadly, ({ begin, how }) => void now().hostile.set(begin, how)),
  answerWell: verb(verbs.answerWell, () => now().hostile.clear()),
  requests: verb(verbs.requests, () => now().requests),
  forgetRequests: verb(verbs.forgetRequests, () => {
    now().requests.length = 0;
  }),
  violations: verb(verbs.violations, () => now().violations),
});
