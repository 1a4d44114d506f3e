import type { ServerResponse } from 'node:http';
import type { State } from './state.ts';

/**
 * Serves `/owner/name.git/…` by git's dumb protocol (gitprotocol-http(5)), so that a server can clone a public repository. Returns
 * false for any other path. GitHub asks for credentials where a repository is private or not there.
 */
export function serveGit(state: State, path: string, response: ServerResponse): boolean {
  const [owner, file = '', ...rest] = path.split('/').slice(1);
  if (!file.endsWith('.git') || rest.length === 0) return false;
  const repository = state.repositories.find(
    (each) => each.owner.login === owner && `${each.name}.git` === file,
  );
  if (!repository || repository.private) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end('Repository not found.');
    return true;
  }
  const asked = rest.join('/');
  const [kind, folder = '', name = ''] = rest;
  const object = kind === 'objects' ? repository.objects.get(folder + name) : undefined;
  if (asked === 'info/refs') {
    const refs = [...repository.branches].map(([branch, { commit }]) => `${commit}\trefs/heads/${branch}\n`);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(refs.toSorted().join(''));
  } else if (asked === 'HEAD')
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`ref: refs/heads/${repository.defaultBranch}\n`);
  else if (object) response.writeHead(200, { 'content-type': 'application/x-git-loose-object' }).end(object);
  else response.writeHead(404).end();
  return true;
}
