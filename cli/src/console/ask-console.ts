import { mcpPath } from '@homeport/contract/mcp/facts';
import { CommandProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import { problemOf } from './problem-of.ts';

/** A console and the token for it. The token is for this origin and goes nowhere else. */
export interface Console {
  origin: string;
  token: string | null;
  terminal: Pick<Terminal, 'interrupted'>;
  /** Of every request. */
  headers?: Readonly<Record<string, string>>;
}

export interface Question {
  method: string;
  /** Begins with /api/ or /monitor/, or is that of the tools. */
  path: string;
  /** JSON. */
  body?: string;
  lastEventId?: string;
  accept?: 'application/json' | 'text/event-stream' | 'application/json, text/event-stream';
  /** Beside those of every request. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** A longer answer is no answer of a console: the largest list has 10,000 records of a few kB. */
const mostAnswerBytes = 64 * 1024 * 1024;
/** Nobody reads more of a failure. */
const mostProblemBytes = 256 * 1024;
const answerWithinMs = 60_000;

/**
 * Sends a request and reads the JSON of its answer.
 *
 * @throws CommandProblem for every failure, an answer that is too long or no JSON included
 */
export async function askConsole(console: Console, question: Question): Promise<string> {
  const signal = AbortSignal.any([AbortSignal.timeout(answerWithinMs), console.terminal.interrupted]);
  const response = await openAnswer(console, { ...question, signal });
  if (response.status === 204) return 'null';
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) {
    await response.body?.cancel();
    throw new CommandProblem(exitCodes.failed, 'The answer is no JSON.', {
      recovery: 'This command reads JSON only. An operation is followed by `homeport op watch`.',
    });
  }
  const text = await boundedText(response, mostAnswerBytes).catch((error: unknown) => {
    throw asProblem(console, error);
  });
  if (!isJson(text)) throw noSense();
  return text;
}

/**
 * Sends a request and waits for the head of a good answer.
 *
 * @throws CommandProblem for every other answer
 */
export async function openAnswer(console: Console, question: Question): Promise<Response> {
  const response = await sendQuestion(console, question);
  if (response.ok) return response;
  const text = await boundedText(response, mostProblemBytes).catch(() => '');
  throw problemOf(response.status, text);
}

/**
 * Sends a request and waits for the head of its answer. A redirect is never followed: the token belongs to this origin.
 *
 * @throws CommandProblem for a redirect, and without an answer
 */
export async function sendQuestion(console: Console, question: Question): Promise<Response> {
  const { method, body, lastEventId, accept = 'application/json', signal } = question;
  const url = addressOf(console.origin, question.path);
  const headers: Record<string, string> = { ...question.headers, ...headersOf(console), accept };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
  const init: RequestInit = { method, headers, redirect: 'manual', signal: signal ?? null };
  if (body !== undefined) init.body = body;
  const response = await fetch(url, init).catch((error: unknown) => {
    throw asProblem(console, error);
  });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const to = response.headers.get('location') ?? 'another address';
    throw new CommandProblem(
      exitCodes.failed,
      `${console.origin} leads on to ${to}. Nothing was sent there.`,
      { recovery: 'Sign in again with the address at which the console itself answers.' },
    );
  }
  return response;
}

/** The address of a route that is a WebSocket, and the headers that say who asks. */
export function socketOf(console: Console, path: string): { url: URL; headers: Record<string, string> } {
  const url = addressOf(console.origin, path);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  return { url, headers: headersOf(console) };
}

function headersOf({ token, headers }: Console): Record<string, string> {
  const all: Record<string, string> = { ...headers, 'user-agent': `homeport-terminal/${version}` };
  if (token !== null) all.authorization = `Bearer ${token}`;
  return all;
}

/** The address of a route on this origin. @throws CommandProblem for a path that leads elsewhere */
function addressOf(origin: string, path: string): URL {
  const url = URL.canParse(path, origin) ? new URL(path, origin) : null;
  if (!path.startsWith('/') || url?.origin !== origin || !isOfConsole(url.pathname))
    throw new CommandProblem(exitCodes.usage, 'This is no path of the console.', {
      recovery: 'Give one that begins with /api/ or /monitor/.',
    });
  return url;
}

const isOfConsole = (path: string): boolean => path === mcpPath || /^\/(?:api|monitor)\//.test(path);

class TooLong extends Error {}

/** @throws TooLong */
export async function boundedText(response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // A reader that stops in the middle closes the connection.
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > most) throw new TooLong();
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const noSense = () =>
  new CommandProblem(exitCodes.failed, 'The console answered in a form that this command does not know.', {
    recovery: 'Update this command, or the console. `homeport api GET PATH` prints JSON as it comes.',
  });

export function asProblem({ origin, terminal }: Console, error: unknown): CommandProblem {
  if (error instanceof CommandProblem) return error;
  const ended = (exit: ExitCode, message: string, recovery: string, passes = false) =>
    new CommandProblem(exit, message, { recovery, passes });
  if (terminal.interrupted.aborted) return ended(exitCodes.interrupted, 'Interrupted.', '');
  if (error instanceof TooLong)
    return ended(exitCodes.failed, 'The answer is longer than any of a console.', 'Check the address.');
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return ended(exitCodes.failed, `${origin} did not answer in time.`, 'Try again in a moment.', true);
  return ended(
    exitCodes.failed,
    `${origin} could not be reached${reasonOf(error)}.`,
    'Check the address, and that the console is running.',
    true,
  );
}

/** The system's or OpenSSL's own name of the failure: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
}
