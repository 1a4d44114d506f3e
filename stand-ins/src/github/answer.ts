import { createHash } from 'node:crypto';
import type { Grant, Repository, State } from './state.ts';

export type Asked = {
  method: string;
  /** Below the REST base, decoded word by word. */
  words: string[];
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: unknown;
  grant: Grant;
  state: State;
  /** The address of the REST interface. */
  api: string;
  /** The address of the pages. */
  site: string;
};

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

export const refuse = (status: number, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
});

export const notFound = () => refuse(404, 'Not Found');

export function hasScope({ grant }: Asked, scope: string): boolean {
  return grant.scopes.includes(scope);
}

/** What the asking person may do; null: the repository does not exist for that person. */
export function accessTo(asked: Asked, repository: Repository): { push: boolean; admin: boolean } | null {
  const { person } = asked.grant;
  const own = repository.owner.id === person.id ? { push: true, admin: true } : undefined;
  const access = own ?? repository.members.get(person.id);
  if (repository.private && !hasScope(asked, 'repo')) return null;
  if (access) return hasScope(asked, 'repo') ? access : { push: false, admin: false };
  return repository.private ? null : { push: false, admin: false };
}

/** Adds the entity tag, and answers 304 to whoever has the body already. */
export function tagged(asked: Asked, answer: Answer): Answer {
  const etag = `W/"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex')}"`;
  const headers = { ...answer.headers, etag };
  return asked.headers['if-none-match'] === etag ? { status: 304, headers } : { ...answer, headers };
}
