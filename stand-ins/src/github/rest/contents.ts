import { z } from 'zod';
import { type Answer, type Asked, accessTo, hasScope, notFound, refuse, tagged } from '../answer.ts';
import { blobSha, commit, type Repository, shaOf } from '../state.ts';
import { fullName, simpleUser } from './shapes.ts';

const bodySchema = z.object({
  message: z.string(),
  content: z.string().optional(),
  sha: z.string().optional(),
  branch: z.string().optional(),
});

export function readReadme(asked: Asked, repository: Repository): Answer {
  const branch = repository.branches.get(asked.query.get('ref') ?? repository.defaultBranch);
  const path = [...(branch?.files.keys() ?? [])].find((name) => /^readme(\.md)?$/i.test(name));
  return path === undefined ? notFound() : readFile(asked, repository, path);
}

export function readFile(asked: Asked, repository: Repository, path: string): Answer {
  const ref = asked.query.get('ref') ?? repository.defaultBranch;
  const text = repository.branches.get(ref)?.files.get(path);
  if (text === undefined) return notFound();
  const url = `${asked.api}/repos/${fullName(repository)}/contents/${path}?ref=${ref}`;
  const page = `${asked.site}/${fullName(repository)}/blob/${ref}/${path}`;
  const git = `${asked.api}/repos/${fullName(repository)}/git/blobs/${blobSha(text)}`;
  return tagged(asked, {
    status: 200,
    body: {
      type: 'file',
      encoding: 'base64',
      size: Buffer.byteLength(text),
      name: path.split('/').at(-1) ?? path,
      path,
      // GitHub breaks the lines of the content.
      content: (
        Buffer.from(text)
          .toString('base64')
          .match(/.{1,60}/g) ?? []
      )
        .map((line) => `${line}\n`)
        .join(''),
      sha: blobSha(text),
      url,
      git_url: git,
      html_url: page,
      download_url: page,
      _links: { git, self: url, html: page },
    },
  });
}

/** Creates, replaces or removes a file, and refuses in GitHub's own words. */
export function changeFile(asked: Asked, repository: Repository, path: string): Answer {
  const { message, content, sha, branch: named } = bodySchema.parse(asked.body);
  const branchName = named ?? repository.defaultBranch;
  const branch = repository.branches.get(branchName);
  if (!branch || !accessTo(asked, repository)?.push) return notFound();
  if (path.startsWith('.github/workflows/') && !hasScope(asked, 'workflow'))
    return refuse(404, 'Not Found', { 'x-accepted-oauth-scopes': 'repo, workflow' });
  const held = branch.files.get(path);
  const removing = asked.method === 'DELETE';
  if (held === undefined && removing) return notFound();
  if (held !== undefined && sha === undefined)
    return refuse(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  if (held !== undefined && sha !== blobSha(held)) return refuse(409, `${path} does not match ${sha}`);
  if (branch.protected)
    return refuse(
      409,
      `Could not ${held === undefined ? 'create' : 'update'} file: Changes must be made through a pull request.`,
    );
  const text = Buffer.from(content ?? '', 'base64').toString();
  if (removing) branch.files.delete(path);
  else branch.files.set(path, text);
  const made = commit(asked.state, repository, branchName, message);
  return {
    status: held === undefined ? 201 : 200,
    body: {
      content: removing ? null : fileFacts(asked, repository, branchName, path, text),
      commit: commitFacts(asked, repository, made.commit, message),
    },
  };
}

function fileFacts(asked: Asked, repository: Repository, ref: string, path: string, text: string) {
  const url = `${asked.api}/repos/${fullName(repository)}/contents/${path}?ref=${ref}`;
  const page = `${asked.site}/${fullName(repository)}/blob/${ref}/${path}`;
  return {
    name: path.split('/').at(-1) ?? path,
    path,
    sha: blobSha(text),
    size: Buffer.byteLength(text),
    url,
    html_url: page,
    git_url: url,
    download_url: page,
    type: 'file',
    _links: { self: url, git: url, html: page },
  };
}

function commitFacts(asked: Asked, repository: Repository, sha: string, message: string) {
  const by = { name: asked.grant.person.login, email: 'noreply@example.com', date: new Date().toISOString() };
  const url = `${asked.api}/repos/${fullName(repository)}/git/commits/${sha}`;
  return {
    sha,
    node_id: sha,
    url,
    html_url: `${asked.site}/${fullName(repository)}/commit/${sha}`,
    author: by,
    committer: by,
    message,
    tree: { url, sha },
    parents: [],
    verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
  };
}

export function readBranch(asked: Asked, repository: Repository, name: string): Answer {
  const branch = repository.branches.get(name);
  if (!branch) return notFound();
  const url = `${asked.api}/repos/${fullName(repository)}`;
  return tagged(asked, {
    status: 200,
    body: {
      name,
      commit: wholeCommit(asked, repository, branch.commit),
      _links: { html: `${asked.site}/${fullName(repository)}/tree/${name}`, self: `${url}/branches/${name}` },
      protected: branch.protected,
      protection: { enabled: branch.protected },
      protection_url: `${url}/branches/${name}/protection`,
    },
  });
}

/** A branch, or a commit by its name or the beginning of its name. */
export function readCommit(asked: Asked, repository: Repository, ref: string): Answer {
  const sha = shaOf(repository, ref);
  if (sha === undefined) return refuse(422, `No commit found for SHA: ${ref}`);
  return tagged(asked, { status: 200, body: wholeCommit(asked, repository, sha) });
}

function wholeCommit(asked: Asked, repository: Repository, sha: string) {
  const url = `${asked.api}/repos/${fullName(repository)}`;
  const { message = '' } = repository.commits.get(sha) ?? {};
  const { author, committer, tree, verification } = commitFacts(asked, repository, sha, message);
  return {
    sha,
    node_id: sha,
    url: `${url}/commits/${sha}`,
    html_url: `${asked.site}/${fullName(repository)}/commit/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    commit: {
      url: `${url}/git/commits/${sha}`,
      author,
      committer,
      message,
      tree,
      verification,
      comment_count: 0,
    },
    author: simpleUser(asked, repository.owner),
    committer: simpleUser(asked, repository.owner),
    parents: [],
  };
}

const refSchema = z.object({ ref: z.string(), sha: z.string() });

export function addRef(asked: Asked, repository: Repository): Answer {
  const { ref, sha } = refSchema.parse(asked.body);
  const name = ref.replace('refs/heads/', '');
  if (!accessTo(asked, repository)?.push) return notFound();
  if (repository.branches.has(name)) return refuse(422, 'Reference already exists');
  const from = [...repository.branches.values()].find((branch) => branch.commit === sha);
  if (!from) return refuse(422, 'Object does not exist');
  repository.branches.set(name, { ...from, protected: false, files: new Map(from.files) });
  return { status: 201, body: refFacts(asked, repository, name, sha) };
}

export function readRef(asked: Asked, repository: Repository, ref: string): Answer {
  const name = ref.replace('heads/', '');
  const branch = repository.branches.get(name);
  return branch ? { status: 200, body: refFacts(asked, repository, name, branch.commit) } : notFound();
}

function refFacts(asked: Asked, repository: Repository, name: string, sha: string) {
  const url = `${asked.api}/repos/${fullName(repository)}/git`;
  return {
    ref: `refs/heads/${name}`,
    node_id: Buffer.from(name).toString('base64'),
    url: `${url}/refs/heads/${name}`,
    object: { sha, type: 'commit', url: `${url}/commits/${sha}` },
  };
}
