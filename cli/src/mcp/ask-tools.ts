import { mcpPath } from '@homeport/contract/mcp/facts';
import { CommandProblem } from '../command-problem.ts';
import { asProblem, boundedText, type Console, noSense, sendQuestion } from '../console/ask-console.ts';
import { createParser } from '../console/event-stream.ts';
import { problemOf } from '../console/problem-of.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Answer, answerShape, type Id, type Message } from './message.ts';

/** A console's list of tools has less than 32 kB, and an answer of a tool 24,000 characters of six bytes at most. */
const mostAnswerBytes = 1024 * 1024;
/** Longer than the longest wait of a tool, with a console that is busy. */
const answerWithinMs = 90_000;

/**
 * Sends one request of the protocol to the console and reads its answer.
 *
 * @throws CommandProblem for every other answer, and without one
 */
export async function askTools(
  console: Console,
  request: Message & { id: Id; method: string },
  { revision, signal }: { revision: string | null; signal: AbortSignal },
): Promise<Answer> {
  const body = JSON.stringify(request);
  try {
    const response = await sendQuestion(console, {
      method: 'POST',
      path: mcpPath,
      body,
      accept: 'application/json, text/event-stream',
      headers: headersFor(request, revision),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    const text = await boundedText(response, mostAnswerBytes);
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const texts = isStream ? [...createParser().take(`${text}\n\n`)].map(({ data }) => data) : [text];
    const answer = texts.map(answerIn).find((each) => each && isFor(each, request.id));
    if (answer) return { ...answer, id: request.id };
    if (response.status === 401) throw tokenEnded();
    throw response.ok ? noSense() : problemOf(response.status, text);
  } catch (error) {
    throw asProblem(console, error);
  }
}

/** An error may name no request: the console could not read it. */
const isFor = (answer: Answer, id: Id): boolean =>
  answer.id === id || ('error' in answer && (answer.id ?? null) === null);

function answerIn(text: string): Answer | null {
  try {
    return answerShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const visible = /^[!-~]{1,200}$/;

/**
 * What HTTP has in its head and standard input does not. A request of 2026-07-28 says its revision itself, and its method and the name of
 * its tool stand in the head as well; one of 2025 has the revision of `initialize`.
 */
function headersFor({ method, params = {} }: Message, revision: string | null): Record<string, string> {
  const meta = params._meta;
  const own = typeof meta === 'object' && meta !== null ? Reflect.get(meta, revisionKey) : undefined;
  if (typeof own !== 'string') return headers({ 'mcp-protocol-version': revision });
  return headers({
    'mcp-protocol-version': own,
    'mcp-method': method,
    'mcp-name': params.name,
  });
}

/** A value that a head cannot hold is left out, and the console says that it is missing. */
const headers = (all: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && visible.test(entry[1]),
    ),
  );

const tokenEnded = () =>
  new CommandProblem(
    exitCodes.notAllowed,
    'The console does not know this token: it has ended or was revoked.',
    {
      recovery:
        'Ask your person to make one for a coding agent under Programs of the profile page, and to run `homeport login --agent`.',
    },
  );
