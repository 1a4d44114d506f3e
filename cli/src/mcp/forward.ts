import { mcpLimits } from '@homeport/contract/mcp/facts';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import type { Console } from '../console/ask-console.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { askTools } from './ask-tools.ts';
import { inputLines } from './input-lines.ts';
import { asLine, failure, type Id, idShape, type Message, messageShape, rpcErrors } from './message.ts';

/**
 * Hands each request on standard input to the console and writes its answer as one line, until standard input ends. A failure is the
 * answer of its request, and the next one is tried: the console may be back. Nothing stays in the console between two messages, so a
 * notification goes nowhere; one that cancels ends the request here, and the console hears of that.
 */
export async function forwardMessages(console: Console, terminal: Terminal): Promise<ExitCode> {
  const pending = new Map<Id, { cancel: AbortController; done: Promise<void> }>();
  let revision: string | null = null;
  const say = (message: object) => terminal.out(asLine(message));

  async function answer(request: Message & { id: Id; method: string }, signal: AbortSignal): Promise<void> {
    let line: string;
    try {
      const answered = await askTools(console, request, { revision, signal });
      line = asLine(answered);
      if (request.method === 'initialize') revision = revisionIn(answered) ?? revision;
    } catch (error) {
      line = asLine(failureOf(request.id, error));
    }
    if (!signal.aborted) await terminal.out(line);
  }

  function begin(request: Message & { id: Id; method: string }): void {
    const cancel = new AbortController();
    const done = answer(request, cancel.signal).finally(() => pending.delete(request.id));
    pending.set(request.id, { cancel, done });
  }

  for await (const line of inputLines(terminal.stdin, mcpLimits.requestBytes, terminal.interrupted)) {
    const read = readMessage(line);
    if (read === null) continue;
    const { message, refusal } = read;
    if (refusal) await say(refusal);
    else if (message.method === 'notifications/cancelled') {
      const id = idShape.safeParse(message.params?.requestId).data;
      if (id !== undefined) pending.get(id)?.cancel.abort();
    } else if (isRequest(message)) {
      const refused = refusalOf(message.id, pending);
      if (refused) await say(refused);
      else begin(message);
    }
  }
  // A pipe that ended waits for its answers. A client that has closed it ends this process, or reads no more.
  const rest = [...pending.values()];
  if (terminal.interrupted.aborted) for (const { cancel } of rest) cancel.abort();
  await Promise.all(rest.map(({ done }) => done));
  return terminal.interrupted.aborted ? exitCodes.interrupted : exitCodes.good;
}

const isRequest = (message: Message): message is Message & { id: Id; method: string } =>
  message.id !== undefined && message.method !== undefined;

function refusalOf(id: Id, pending: ReadonlyMap<Id, unknown>): object | null {
  if (pending.has(id)) return failure(id, rpcErrors.request, 'A request with this id is under way.');
  if (pending.size < mcpLimits.atOnce) return null;
  const message = `${mcpLimits.atOnce} requests are under way, which is the most. Wait for an answer first.`;
  return failure(id, rpcErrors.internal, message);
}

/** The message of a line, or why it is none. null: an empty line. */
type Read = { message: Message; refusal?: never } | { message?: never; refusal: object };

function readMessage(line: string | null): Read | null {
  if (line === null) {
    const message = `A message has at most ${mcpLimits.requestBytes} bytes. This one was not sent.`;
    return { refusal: failure(null, rpcErrors.request, message) };
  }
  if (line.trim() === '') return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return { refusal: failure(null, rpcErrors.parse, 'This line is no JSON.') };
  }
  const read = messageShape.safeParse(parsed);
  if (read.success) return { message: read.data };
  return { refusal: failure(null, rpcErrors.request, 'This line is no single message of JSON-RPC 2.0.') };
}

/** The problem of a request in plain words, for a model and its person. */
function failureOf(id: Id, error: unknown): object {
  const { message, recovery } =
    error instanceof CommandProblem
      ? error
      : { message: 'This message cannot be passed on: it is nested too deeply.', recovery: '' };
  return failure(id, rpcErrors.internal, oneLine(`${message} ${recovery}`.trim()));
}

const initializedShape = z.object({ result: z.object({ protocolVersion: z.string() }) });

/** The revision that a console of 2025 and its client speak from now on. */
const revisionIn = (answer: object): string | null =>
  initializedShape.safeParse(answer).data?.result.protocolVersion ?? null;
