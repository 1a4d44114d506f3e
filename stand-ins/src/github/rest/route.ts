import { type Answer, type Asked, accessTo, notFound, refuse, tagged } from '../answer.ts';
import { leadToArchive } from '../serve-archive.ts';
import type { Repository } from '../state.ts';
import { addRef, changeFile, readBranch, readCommit, readFile, readReadme, readRef } from './contents.ts';
import { addKey, listKeys, readKey, removeKey } from './deploy-keys.ts';
import { addPull, listPulls } from './pulls.ts';
import { listRuns } from './runs.ts';
import { readSecret, readSecretKey, removeSecret, setSecret } from './secrets.ts';
import { fullRepository } from './shapes.ts';
import { listRepositories, readEmails, readUser } from './user.ts';

/** Answers one request of the REST interface; null for an address that it does not have. */
export function route(asked: Asked): Answer | null {
  const at = `${asked.method} ${asked.path}`;
  if (at === 'GET /user') return readUser(asked);
  if (at === 'GET /user/emails') return readEmails(asked);
  if (at === 'GET /user/repos') return listRepositories(asked);
  if (at === 'GET /meta') return readMeta(asked);
  const [first, owner, name, ...rest] = asked.words;
  if (first !== 'repos') return null;
  const { repositories } = asked.state;
  const named = repositories.find((each) => each.owner.login === owner && each.name === name);
  const former =
    !named &&
    repositories.find((each) => each.owner.login === owner && each.formerNames.includes(name ?? ''));
  if (former && accessTo(asked, former)) return moved(asked, former, rest);
  if (!named || !accessTo(asked, named)) return notFound();
  return routeRepository(asked, named, rest);
}

/** GitHub Enterprise Server names no host keys there. */
const readMeta = ({ state: { sshKeys } }: Asked): Answer => ({
  status: 200,
  body: { verifiable_password_authentication: true, ...(sshKeys && { ssh_keys: sshKeys }) },
});

/** GitHub answers so under a former name. */
function moved({ api }: Asked, { owner, name }: Repository, rest: string[]): Answer {
  const words = ['repos', owner.login, name, ...rest].map(encodeURIComponent);
  const location = `${api}/${words.join('/')}`;
  return refuse(301, 'Moved Permanently', { location });
}

function routeRepository(asked: Asked, repository: Repository, words: string[]): Answer | null {
  const { method } = asked;
  const [noun = '', second = '', third = '', fourth = ''] = words;
  const last = words.slice(1).join('/');
  switch (`${method} ${noun}`) {
    case 'GET ':
      return tagged(asked, { status: 200, body: fullRepository(asked, repository) });
    case 'GET readme':
      return readReadme(asked, repository);
    case 'GET contents':
      return readFile(asked, repository, last);
    case 'PUT contents':
    case 'DELETE contents':
      return changeFile(asked, repository, last);
    case 'GET branches':
      return readBranch(asked, repository, last);
    case 'GET commits':
      return readCommit(asked, repository, last);
    case 'GET tarball':
      return leadToArchive(asked, repository, last);
    case 'GET git':
      return second === 'ref' ? readRef(asked, repository, words.slice(2).join('/')) : null;
    case 'POST git':
      return second === 'refs' ? addRef(asked, repository) : null;
    case 'POST pulls':
      return addPull(asked, repository);
    case 'GET pulls':
      return listPulls(asked, repository);
    case 'GET keys':
      return second === '' ? listKeys(asked, repository) : readKey(asked, repository, Number(second));
    case 'POST keys':
      return addKey(asked, repository);
    case 'DELETE keys':
      return removeKey(asked, repository, Number(second));
    default:
      return noun === 'actions'
        ? routeActions(asked, repository, { kind: second, name: third, part: fourth })
        : null;
  }
}

function routeActions(
  asked: Asked,
  repository: Repository,
  { kind, name, part }: { kind: string; name: string; part: string },
): Answer | null {
  if (kind === 'workflows') return part === 'runs' ? listRuns(asked, repository) : null;
  if (kind !== 'secrets') return null;
  if (name === 'public-key') return readSecretKey(asked, repository);
  if (asked.method === 'PUT') return setSecret(asked, repository, name);
  return asked.method === 'DELETE'
    ? removeSecret(asked, repository, name)
    : readSecret(asked, repository, name);
}
