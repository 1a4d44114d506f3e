import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Answer, Asked } from './answer.ts';
import { refuse } from './answer.ts';
import { answerHostile, type HostileAnswer } from './hostile.ts';
import { route } from './rest/route.ts';
import { type ArchiveExchange, serveArchive } from './serve-archive.ts';
import { serveGit } from './serve-git.ts';
import { gitHostPath, makeGitFolder, serveGitHost } from './serve-git-host.ts';
import { consentPage, decide, endGrant, exchange, type OAuthApp, type Page } from './sign-in.ts';
import { createState, type Grant, type State } from './state.ts';

export { type HostileAnswer, hostileAnswers } from './hostile.ts';
export type { ArchiveExchange } from './serve-archive.ts';
export {
  addRepository,
  commit,
  type NewRepository,
  type Person,
  type Repository,
  type State,
} from './state.ts';

/** Holds requests and answers to a description of the interface. */
type Checks = {
  checkRequest(request: { method: string; path: string; query: URLSearchParams; body: unknown }): string[];
  checkAnswer(answer: { method: string; path: string; status: number; body: unknown }): string[];
  checkArchive(exchange: ArchiveExchange): string[];
};

export type GithubStandIn = AsyncDisposable & {
  /** Where pages are, and below it the REST interface as GitHub Enterprise has it: `/api/v3`. */
  url: string;
  /** Where an sshd asks for the keys that it may let in: `AuthorizedKeysCommand /usr/bin/curl -sf <this>`. */
  gitHostKeys: string;
  app: OAuthApp;
  state: State;
  /** `METHOD /path` of every request, in order. */
  requests: string[];
  /** What was wrong with requests and answers. A test expects none. */
  violations: string[];
  /** Answers the requests whose `METHOD /path` begins with this text in a hostile way, until it is taken away. */
  hostile: Map<string, HostileAnswer>;
};

const restBase = '/api/v3';
const bodyAtMostBytes = 1024 * 1024;

/** GitHub on a loopback port, as far as Homeport calls it. */
export async function startGithub(options: { port?: number; checks?: Checks } = {}): Promise<GithubStandIn> {
  const state = createState();
  const gitFolder = makeGitFolder();
  const app = { clientId: 'Iv1.standin', clientSecret: 'the-secret-of-the-stand-in' };
  const requests: string[] = [];
  const violations: string[] = [];
  const hostile = new Map<string, HostileAnswer>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      violations.push(`${request.method} ${request.url}: ${String(error)}`);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const method = request.method ?? 'GET';
    const path = decodeURIComponent(
      pathname.startsWith(restBase) ? pathname.slice(restBase.length) : pathname,
    );
    requests.push(`${method} ${path}`);
    const text = await readBody(request);
    const bad = [...hostile].find(([begin]) => `${method} ${path}`.startsWith(begin));
    if (bad) return answerHostile(bad[1], response);
    if (path === '/login/oauth/authorize')
      return sendPage(
        response,
        method === 'POST'
          ? decide(state, app, new URLSearchParams(text))
          : consentPage(state, app, searchParams),
      );
    // A browser on the consent page asks for it, and would log a 404 as an error of the page.
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    if (path.startsWith('/avatars/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(avatar);
      return;
    }
    const checkArchive = (exchange: Omit<ArchiveExchange, 'requestBody'>) => {
      const found = options.checks?.checkArchive({ ...exchange, requestBody: text }) ?? [];
      violations.push(...found.map((each) => `${method} ${path}: ${each}`));
    };
    if (serveGitHost(state, gitFolder, path, response)) return;
    if (serveGit(state, path, response) || serveArchive(state, request, response, checkArchive)) return;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (path === '/login/oauth/access_token') return send(response, exchange(state, app, body));
    const asked = { method, path, query: searchParams, body };
    const wrong = options.checks?.checkRequest(asked) ?? [];
    violations.push(...wrong.map((each) => `${method} ${path}: ${each}`));
    const told = wrong.length > 0 ? refuse(422, wrong.join(' ')) : answerRest(request, asked);
    if (told.status < 400 && told.status !== 304) {
      const found = options.checks?.checkAnswer({ method, path, status: told.status, body: told.body }) ?? [];
      violations.push(...found.map((each) => `${method} ${path} answered: ${each}`));
    }
    send(response, told);
  }

  function answerRest(
    request: IncomingMessage,
    asked: Pick<Asked, 'method' | 'path' | 'query' | 'body'>,
  ): Answer {
    const words = asked.path.split('/').slice(1);
    if (!request.headers['user-agent']) return refuse(403, 'Request forbidden by administrative rules.');
    if (words[0] === 'applications') {
      const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
      if (request.headers.authorization !== `Basic ${basic}`) return refuse(404, 'Not Found');
      return endGrant(state, words[2] ?? '', asked.body);
    }
    const grant = state.grants.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!grant) return refuse(401, 'Bad credentials');
    const headers = { 'if-none-match': request.headers['if-none-match'] };
    const told = route({ ...asked, words, headers, grant, state, site: url, api: url + restBase });
    const { headers: own, ...rest } = told ?? refuse(404, 'Not Found');
    return { ...rest, headers: { ...scopesOf(request, grant), ...own } };
  }

  return {
    url,
    gitHostKeys: `${url}${gitHostPath}`,
    app,
    state,
    requests,
    violations,
    hostile,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      gitFolder.remove();
    },
  };
}

/** A picture of one colour, 64 by 64 pixels. */
const avatar = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEUqfW/VPIWeAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = z.instanceof(Buffer).parse(chunk);
    bytes += part.length;
    if (bytes > bodyAtMostBytes) throw new Error('The body is too long.');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function sendPage(response: ServerResponse, { status, html, location }: Page): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(location && { location }) });
  response.end(html);
}

/** GitHub names no scopes of a fine-grained token. */
function scopesOf({ headers }: IncomingMessage, { scopes }: Grant): Record<string, string> {
  return headers.authorization?.startsWith('Bearer github_pat_')
    ? {}
    : { 'x-oauth-scopes': scopes.join(', ') };
}
