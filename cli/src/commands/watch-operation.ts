import { isOver, type OperationState } from '@homeport/contract/operations/facts';
import { operationStateText } from '@homeport/contract/operations/health';
import { operationSchema } from '@homeport/contract/operations/schema';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { type Console, noSense } from '../console/ask-console.ts';
import { readEvents } from '../console/event-stream.ts';
import { mayPass } from '../console/may-pass.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { oneLine } from '../output/safe-text.ts';
import type { Terminal } from '../terminal.ts';
import type { Command, Flag, Run } from './command.ts';

const operationShape = operationSchema.pick({ id: true, title: true, state: true }).extend({
  waitingFor: z.object({ text: z.string() }).nullable(),
  steps: z.array(
    z.object({ key: z.string(), title: z.string(), state: z.string(), note: z.string().nullable() }),
  ),
  /** A newer console may know more codes, so the code stays unread. */
  problem: z
    .object({
      message: z.string(),
      recovery: z.string(),
      remote: z.object({ command: z.string(), outputTail: z.string() }).optional(),
    })
    .nullable(),
});
type Operation = z.output<typeof operationShape>;
/** Other events are for programs. */
const eventShape = z.object({
  type: z.string(),
  operation: operationShape.optional(),
  lines: z.array(z.object({ text: z.string() })).optional(),
});

/** A stream that breaks off so often without an event is given up. */
const mostTries = 5;
const tryAgainAfterMs = 1_000;

export const timeoutFlag: Flag = {
  name: 'timeout',
  value: 'SECONDS',
  purpose: 'Stops watching then, with exit code 6.',
};

export const watchOperation: Command = {
  words: ['op', 'watch'],
  args: [{ name: 'ID' }],
  flags: [timeoutFlag],
  summary: 'Follows an operation to its end. It goes on without you, also after Ctrl-C.',
  json: 'Each event of `GET /api/operations/:id/events`, one a line.',
  asksConsole: true,
  async run(run) {
    const timeout = timeoutOf(run);
    const console = await run.signIn();
    return (await watchToEnd(run, { console, id: run.args.ID ?? '', timeout })).exit;
  },
};

/** Follows an operation to its end, or until Ctrl-C or `timeout`. */
export async function watchToEnd(
  { terminal, json }: Pick<Run, 'terminal' | 'json'>,
  {
    console,
    id,
    timeout = null,
    withLog = false,
  }: { console: Console; id: string; timeout?: AbortSignal | null; withLog?: boolean },
): Promise<{ exit: ExitCode; over: boolean }> {
  const signal = AbortSignal.any([terminal.interrupted, ...(timeout ? [timeout] : [])]);
  const operation = await follow(console, { id, signal, terminal, json, withLog });
  if (operation && isOver(operation.state))
    return { exit: await tellEnd(terminal, operation, { json, withLog }), over: true };
  await terminal.err(`Not over yet. Watch on with \`homeport op watch ${oneLine(id)}\`.\n`);
  return { exit: terminal.interrupted.aborted ? exitCodes.interrupted : exitCodes.waits, over: false };
}

export function timeoutOf({ flags }: Pick<Run, 'flags'>): AbortSignal | null {
  if (typeof flags.timeout !== 'string') return null;
  const seconds = /^\d{1,6}$/.test(flags.timeout) ? Number(flags.timeout) : 0;
  if (seconds === 0)
    throw new CommandProblem(exitCodes.usage, '--timeout takes seconds, from 1 to 999999.', { recovery: '' });
  return AbortSignal.timeout(seconds * 1_000);
}

type Watch = {
  id: string;
  signal: AbortSignal;
  terminal: Terminal;
  json: boolean;
  /** The log's lines stand between the steps. */
  withLog: boolean;
};

/** The operation as it was said last: over, or not where the signal ended the watch. */
async function follow(
  console: Console,
  { id, signal, terminal, json, withLog }: Watch,
): Promise<Operation | null> {
  const path = `/api/operations/${encodeURIComponent(id)}/events`;
  let last: Operation | null = null;
  let lastEventId: string | undefined;
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      for await (const event of readEvents(console, path, {
        signal,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      })) {
        tries = 0;
        lastEventId = event.id;
        const { operation, lines = [] } = readEvent(event.data);
        if (json) await printJson(terminal, event.data);
        else if (operation) await tellProgress(terminal, last, operation);
        else if (withLog) for (const { text } of lines) await terminal.err(`    ${oneLine(text)}\n`);
        last = operation ?? last;
        if (last && isOver(last.state)) return last;
      }
    } catch (error) {
      // The first answer decides whether there is such an operation. Later, the work goes on while the console is away.
      if (last === null || !mayPass(error)) throw error;
    }
    if (signal.aborted) return last;
    await terminal.wait(tryAgainAfterMs);
  }
  throw new CommandProblem(exitCodes.failed, 'The console ended the stream again and again.', {
    recovery: `Try \`homeport op watch ${oneLine(id)}\` in a moment.`,
  });
}

function readEvent(data: string): z.output<typeof eventShape> {
  try {
    return eventShape.parse(JSON.parse(data));
  } catch {
    throw noSense();
  }
}

/** One line for each step that began or ended, and for each new reason to wait. */
async function tellProgress({ err }: Terminal, before: Operation | null, now: Operation): Promise<void> {
  if (!before) await err(`${oneLine(now.title)}\n`);
  const states = new Map(before?.steps.map(({ key, state }) => [key, state]));
  for (const { key, title, state, note } of now.steps)
    if (state !== (states.get(key) ?? 'waiting'))
      await err(`  ${oneLine(state)}: ${oneLine(title)}${note === null ? '' : ` (${oneLine(note)})`}\n`);
  if (now.waitingFor && now.waitingFor.text !== before?.waitingFor?.text)
    await err(`  waits: ${oneLine(now.waitingFor.text)}\n`);
}

const exitOfEnd: Partial<Record<OperationState, ExitCode>> = {
  succeeded: exitCodes.good,
  cancelled: exitCodes.declined,
};

async function tellEnd(
  { out, err }: Terminal,
  operation: Operation,
  { json, withLog }: Pick<Watch, 'json' | 'withLog'>,
): Promise<ExitCode> {
  const { state, title, problem } = operation;
  if (!json) await out(`${operationStateText(state)}\t${oneLine(title)}\n`);
  if (problem && !json) {
    // Where the log was shown, it ends with this tail.
    const tail =
      problem.remote && !withLog ? [problem.remote.command, ...problem.remote.outputTail.split('\n')] : [];
    for (const line of tail) await err(`  ${oneLine(line)}\n`);
    await err(`${oneLine(problem.message)} ${oneLine(problem.recovery)}\n`);
  }
  return exitOfEnd[state] ?? exitCodes.refused;
}
