import { createHash } from 'node:crypto';
import nacl from 'tweetnacl';
import { type GitObjects, putCommit } from './git-objects.ts';

/** A person of the stand-in. GitHub identifies a person by `id`: the login may change. */
export type Person = {
  id: number;
  login: string;
  name: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
  /** Where the person's picture is; by default the stand-in has it. */
  avatarUrl?: string;
};

export type Branch = {
  commit: string;
  message: string;
  protected: boolean;
  /** The text of each file, by its path. */
  files: Map<string, string>;
};

export type Run = {
  id: number;
  number: number;
  branch: string;
  commit: string;
  title: string;
  event: 'push' | 'workflow_dispatch';
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | 'cancelled' | null;
  createdAt: number;
};

export type DeployKey = { id: number; title: string; key: string; readOnly: boolean };

export type Repository = {
  id: number;
  owner: Person;
  name: string;
  formerNames: string[];
  private: boolean;
  language: string | null;
  description: string | null;
  defaultBranch: string;
  pushedAt: number;
  archived: boolean;
  /** Who may read it beside its owner, and who of them may push. */
  members: Map<number, { push: boolean; admin: boolean }>;
  branches: Map<string, Branch>;
  /** Every commit, by its name. */
  commits: Map<string, { message: string; at: number }>;
  /** The same commits as git has them, with their files. */
  objects: GitObjects;
  secretKey: { id: string; pair: nacl.BoxKeyPair };
  /** The text of each secret, as the runner would see it. */
  secrets: Map<string, { text: string; changedAt: number }>;
  deployKeys: DeployKey[];
  /** The policy of its organisation takes no new ones. */
  forbidsDeployKeys: boolean;
  pulls: {
    number: number;
    title: string;
    head: string;
    base: string;
    body: string;
    state: 'open' | 'closed';
  }[];
  runs: Run[];
};

export type Grant = { person: Person; scopes: string[] };

/** What may be wrong with the bytes of an archive. */
export type ArchiveFault =
  /** The connection breaks in the middle. */
  | 'cut_off'
  /** Half of the file comes as if it were the whole. */
  | 'half'
  /** The announced length is longer than any archive. */
  | 'announces_too_much'
  /** Nothing comes after the first half. */
  | 'stands_still';

export type State = {
  people: Person[];
  repositories: Repository[];
  /** By token. */
  grants: Map<string, Grant>;
  /** Consents that were not exchanged yet, by code. */
  codes: Map<string, { person: Person; scopes: string[]; challenge: string; redirectUri: string }>;
  /** Archives that GitHub led somebody to, by the token of their address. */
  archives: Map<string, { repository: Repository; sha: string }>;
  /** What is wrong with the archives that are served; null: nothing. */
  archiveFault: ArchiveFault | null;
  /** The host keys of the git host, as `GET /meta` tells them; null: it tells none. */
  sshKeys: string[] | null;
  nextId: number;
};

export const createState = (): State => ({
  people: [],
  repositories: [],
  grants: new Map(),
  codes: new Map(),
  archives: new Map(),
  archiveFault: null,
  sshKeys: null,
  nextId: 1_000,
});

export type NewRepository = {
  owner: Person;
  name: string;
  private?: boolean;
  language?: string | null;
  description?: string | null;
  defaultBranch?: string;
  isProtected?: boolean;
  files?: Record<string, string>;
};

export function addRepository(state: State, made: NewRepository): Repository {
  const defaultBranch = made.defaultBranch ?? 'main';
  const repository: Repository = {
    id: state.nextId++,
    owner: made.owner,
    name: made.name,
    formerNames: [],
    private: made.private ?? false,
    language: made.language ?? null,
    description: made.description ?? null,
    defaultBranch,
    pushedAt: Date.now(),
    archived: false,
    members: new Map(),
    branches: new Map(),
    commits: new Map(),
    objects: new Map(),
    secretKey: { id: String(state.nextId++), pair: nacl.box.keyPair() },
    secrets: new Map(),
    deployKeys: [],
    forbidsDeployKeys: false,
    pulls: [],
    runs: [],
  };
  const files = new Map(Object.entries(made.files ?? {}));
  const message = 'First commit';
  repository.branches.set(defaultBranch, {
    commit: record(repository, { files, message, parent: null }),
    message,
    protected: made.isProtected ?? false,
    files,
  });
  state.repositories.push(repository);
  return repository;
}

function record(
  { objects, commits, owner }: Repository,
  made: { files: ReadonlyMap<string, string>; message: string; parent: string | null },
): string {
  const at = Date.now();
  const name = putCommit(objects, { ...made, author: owner.login, at });
  commits.set(name, { message: made.message, at });
  return name;
}

/** Adds a commit, and a run for it if the branch has the workflow. */
export function commit(state: State, repository: Repository, branchName: string, message: string): Branch {
  const branch = repository.branches.get(branchName);
  if (!branch) throw new Error(`There is no branch ${branchName}.`);
  branch.commit = record(repository, { files: branch.files, message, parent: branch.commit });
  branch.message = message;
  repository.pushedAt = Date.now();
  if (branchName === repository.defaultBranch && branch.files.has(workflowPath))
    repository.runs.unshift({
      id: state.nextId++,
      number: repository.runs.length + 1,
      branch: branchName,
      commit: branch.commit,
      title: message,
      event: 'push',
      status: 'queued',
      conclusion: null,
      createdAt: Date.now(),
    });
  return branch;
}

/** The commit that a branch or the beginning of a commit's name means. */
export const shaOf = (repository: Repository, ref: string): string | undefined =>
  repository.branches.get(ref)?.commit ??
  [...repository.commits.keys()].find((name) => ref.length >= 4 && name.startsWith(ref));

const workflowPath = '.github/workflows/deploy.yml';

/** The name that git gives a file's content. */
export const blobSha = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');
