import { z } from 'zod';
import { GithubFailure, type Refusal } from './refusal.ts';
import { type GithubSettings, isArchiveAddress, restAddress } from './settings.ts';

export type GithubRequest<S extends z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the REST interface, its words encoded. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** What a good answer has to be. Fields that it does not name are dropped. */
  reply: S;
  /** The entity tag of the answer that the caller has. */
  etag?: string | null;
  signal?: AbortSignal | undefined;
};

export type GithubAnswer<T> =
  | { kind: 'unchanged' }
  | { kind: 'read'; body: T; status: number; etag: string | null; hasNext: boolean; scopes: string[] | null };

/** Sends requests with one token. Throws `GithubFailure` for everything that is not a good answer. */
export type Ask = <S extends z.ZodType>(request: GithubRequest<S>) => Promise<GithubAnswer<z.output<S>>>;

/** A page of 100 repositories is some 600 kB. */
const answerBytes = 2 * 1024 * 1024;
const answerWithinMs = 15_000;
const mostRedirects = 2;
const etagCharacters = 200;

/** The client of GitHub's REST interface with one token. Nothing is tried twice: a change may have been made although its answer was lost. */
export function askWith(settings: GithubSettings, token: string): Ask {
  const base = restAddress(settings.site);
  return async ({ method, path, query, body, reply, etag, signal }) => {
    const address = new URL(`${base}${path}`);
    if (query) address.search = new URLSearchParams(query).toString();
    const { response, text } = await exchange(settings, address, {
      method,
      headers: {
        ...headersWith(token),
        ...(body && { 'content-type': 'application/json' }),
        ...(etag && { 'if-none-match': etag }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.status === 304 && etag) return { kind: 'unchanged' };
    if (!response.ok) throw new GithubFailure(refusalOf(response, text));
    const data = text === '' ? undefined : parseJson(text);
    // A page of a network in between may come with status 200, and GitHub has then changed nothing.
    const isPage = text !== '' && data === undefined;
    const read = reply.safeParse(data);
    if (isPage || !read.success) throw new GithubFailure({ kind: 'unreadable' });
    const tag = response.headers.get('etag');
    return {
      kind: 'read',
      body: read.data,
      status: response.status,
      etag: tag !== null && tag.length <= etagCharacters ? tag : null,
      hasNext: namesNext(response.headers.get('link') ?? ''),
      scopes: scopesIn(response.headers.get('x-oauth-scopes')),
    };
  };
}

const headersWith = (token: string) => ({
  authorization: `Bearer ${token}`,
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
  'user-agent': 'Homeport',
});

/** Asks where the archive at a path is. Its address holds a token of its own for some minutes, so it is kept and shown nowhere. */
export type AskWhere = (path: string) => Promise<URL>;

export function askWhereWith(settings: GithubSettings, token: string): AskWhere {
  const isArchive = (next: URL) => isArchiveAddress(settings.site, next);
  return async (path) => {
    const address = new URL(`${restAddress(settings.site)}${path}`);
    const init = { method: 'GET', headers: headersWith(token) };
    const { response, text, leadsTo } = await exchange(settings, address, init, isArchive);
    if (leadsTo) return leadsTo;
    throw new GithubFailure(response.ok ? { kind: 'unreadable' } : refusalOf(response, text));
  };
}

/**
 * One exchange, with its body. Follows a redirect of a reading request within the same origin: GitHub answers so after a repository
 * was renamed. Any other redirect would carry the token to another address. A redirect that `endsAt` takes is the answer itself, and is
 * not followed. Never throws what `fetch` threw: such an error may hold the request.
 */
export async function exchange(
  settings: Pick<GithubSettings, 'answerWithinMs'>,
  address: URL,
  init: RequestInit,
  endsAt?: (next: URL) => boolean,
): Promise<{ response: Response; text: string; leadsTo?: URL }> {
  const { bytes, ...answer } = await exchangeBytes(settings, address, init, answerBytes, endsAt);
  return { ...answer, text: bytes.toString('utf8') };
}

/** The same for an answer that is no text, with a bound of its own. */
export async function exchangeBytes(
  settings: Pick<GithubSettings, 'answerWithinMs'>,
  address: URL,
  init: RequestInit,
  atMostBytes: number,
  endsAt: (next: URL) => boolean = () => false,
): Promise<{ response: Response; bytes: Buffer; leadsTo?: URL }> {
  const deadline = AbortSignal.timeout(settings.answerWithinMs ?? answerWithinMs);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    let target = address;
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(target, { ...init, redirect: 'manual', signal });
      const bytes = await readBounded(response, atMostBytes);
      const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
      if (!isRedirect) return { response, bytes };
      const next = URL.parse(response.headers.get('location') ?? '', target.href);
      if (next && endsAt(next)) return { response, bytes, leadsTo: next };
      const mayFollow = init.method === 'GET' && next?.origin === address.origin && redirects < mostRedirects;
      if (!mayFollow || !next) throw new GithubFailure({ kind: 'redirect' });
      target = next;
    }
  } catch (error) {
    if (error instanceof GithubFailure) throw error;
    throw new GithubFailure({ kind: deadline.aborted ? 'no_answer' : 'unreachable' });
  }
}

async function readBounded(response: Response, atMostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > atMostBytes) throw new GithubFailure({ kind: 'too_long' });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const failureSchema = z.object({ message: z.string() });
const longestWaitSeconds = 3_600;
/** GitHub's advice where a secondary limit names no time ("Rate limits for the REST API"). */
const unnamedWaitSeconds = 60;

function refusalOf(response: Response, text: string): Refusal {
  const { status, headers } = response;
  const told = failureSchema.safeParse(parseJson(text)).data?.message ?? '';
  if (status >= 500) return { kind: 'server_error', status };
  if (status === 401) return { kind: 'revoked' };
  if (status === 429 || (status === 403 && isLimited(headers, told)))
    return { kind: 'too_many', waitSeconds: waitOf(headers) };
  if (status === 403) {
    const sso = headers.get('x-github-sso')?.startsWith('required') ?? false;
    return sso ? { kind: 'single_sign_on' } : { kind: 'forbidden', told };
  }
  if (status === 404) return { kind: 'not_found' };
  if (told === '') return { kind: 'unreadable' };
  if (status === 409) return { kind: 'conflict', told };
  return { kind: 'invalid', told };
}

const isLimited = (headers: Headers, told: string) =>
  headers.get('x-ratelimit-remaining') === '0' ||
  headers.has('retry-after') ||
  /rate limit/i.test(told.slice(0, 200));

function waitOf(headers: Headers): number {
  const number = (name: string) => {
    const text = headers.get(name)?.trim() ?? '';
    return /^\d{1,11}$/.test(text) ? Number(text) : null;
  };
  const reset = number('x-ratelimit-reset');
  const wait =
    number('retry-after') ?? (reset === null ? unnamedWaitSeconds : reset - Math.floor(Date.now() / 1_000));
  return Math.min(longestWaitSeconds, Math.max(1, wait));
}

/** `<…?page=2>; rel="next", …` (RFC 8288). */
const namesNext = (link: string) => link.slice(0, 4_000).includes('rel="next"');

function scopesIn(header: string | null): string[] | null {
  if (header === null) return null;
  return header
    .slice(0, 1_000)
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}
