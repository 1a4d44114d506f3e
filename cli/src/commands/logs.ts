import { logLines } from '@homeport/contract/apps/facts';
import { epochMsSchema } from '@homeport/contract/fields/schema';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import {
  callOnServer,
  closeConnection,
  type OwnConsole,
  withOwnConnections,
} from '../connections/connect.ts';
import { noSense } from '../console/ask-console.ts';
import { readEvents, type StreamEvent } from '../console/event-stream.ts';
import { mayPass } from '../console/may-pass.ts';
import { readRoute } from '../console/read-route.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { oneLine, wholeLine } from '../output/safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { appOfName, nameFor } from './app.ts';
import type { Command, Run } from './command.ts';
import { connectionFlags } from './connection-flags.ts';
import { appShape } from './states.ts';

/** A newer console may have more kinds of events. */
const eventShape = z.object({
  type: z.string(),
  lines: z
    .array(z.object({ at: epochMsSchema.nullable(), process: z.string(), text: z.string() }))
    .default([]),
  process: z.string().nullish(),
  reason: z.string().nullish(),
});
type LogEvent = z.output<typeof eventShape>;

/** Together a minute: a deploy replaces the containers in less. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];
/** A stream that was open for so long counts as a good one. */
const goodAfterMs = 30_000;

export const logs: Command = {
  words: ['logs'],
  args: [{ name: 'NAME', orElse: 'HOMEPORT_APP' }],
  flags: [
    { name: 'follow', short: 'f', purpose: 'Goes on with each new line, until Ctrl-C.' },
    {
      name: 'lines',
      short: 'n',
      value: 'N',
      purpose: `The last lines of each container; ${logLines.first} without.`,
    },
    { name: 'process', short: 'p', value: 'TYPE', purpose: 'Only one kind of process: `web`, `worker`.' },
    ...connectionFlags,
  ],
  summary:
    'Prints the log of an app, from its server. Your own SSH agent signs the login, as the account homeport. Sign in with `homeport login`: a token for a program opens no connection.',
  json: 'Each event of `GET /api/apps/:id/logs`, one a line.',
  asksConsole: true,
  endsWithReader: true,
  async run(run) {
    const [name, query] = [nameFor(run), queryOf(run)];
    const console = withOwnConnections(await run.signIn());
    const { value: apps } = await readRoute(
      console,
      'GET /api/apps',
      z.array(appShape.extend({ serverId: z.string() })),
    );
    const { id, serverId } = appOfName(apps, name);
    try {
      return await read(run, { console, serverId }, `/api/apps/${encodeURIComponent(id)}/logs?${query}`);
    } finally {
      await closeConnection(console, serverId);
    }
  },
};

function queryOf({ flags }: Run): URLSearchParams {
  const query = new URLSearchParams({ follow: String(flags.follow === true) });
  const { lines, process } = flags;
  if (typeof lines === 'string') {
    const count = /^\d{1,6}$/.test(lines) ? Number(lines) : 0;
    if (count < 1 || count > logLines.most)
      throw new CommandProblem(exitCodes.usage, `--lines takes a number from 1 to ${logLines.most}.`, {
        recovery: '',
      });
    query.set('lines', lines);
  }
  if (typeof process === 'string') query.set('process', process);
  return query;
}

/** Reads to the end, or follows until Ctrl-C. A stream that ended is opened again where it ended, so that no line is missed or repeated. */
async function read(
  run: Run,
  on: { console: OwnConsole; serverId: string },
  path: string,
): Promise<ExitCode> {
  const { terminal, flags, json } = run;
  const follows = flags.follow === true;
  const signal = terminal.interrupted;
  let lastEventId: string | undefined;
  let wasOpen = false;
  const isOpen = () => {
    wasOpen = true;
  };
  let tries = 0;
  while (!signal.aborted) {
    const openedAt = terminal.now();
    let end: LogEvent | null = null;
    try {
      const stream = await callOnServer(run, on, () =>
        opened(
          readEvents(on.console, path, {
            ...{ signal, opened: isOpen },
            ...(lastEventId !== undefined && { lastEventId }),
          }),
        ),
      );
      for await (const { id, data } of stream) {
        const event = readEvent(data);
        if (json) await printJson(terminal, data);
        else await print(terminal, event);
        lastEventId = id ?? lastEventId;
        if (event.type === 'ended') end = event;
      }
    } catch (error) {
      // Also a stream that broke in the middle is opened again behind its last event.
      if (!follows || !wasOpen || !mayGoOn(error)) throw error;
    }
    if (signal.aborted) break;
    if (!follows) return endOf(end);
    const wasGood = terminal.now() - openedAt >= goodAfterMs;
    if (wasGood) tries = 0;
    const wait = waitsMs[tries];
    if (wait === undefined)
      throw new CommandProblem(exitCodes.refused, end?.reason ?? 'The log ended again and again.', {
        recovery: 'Look at the app with `homeport app`, then try again.',
      });
    // Without a reason, the console only wants to be asked again, and not at once each time.
    if (end?.reason != null || !end || !wasGood) {
      tries += 1;
      await terminal.wait(wait);
    }
  }
  return exitCodes.interrupted;
}

/** The stream, once its answer is there: until then the console may ask for a connection. */
async function opened(events: AsyncGenerator<StreamEvent>): Promise<AsyncIterable<StreamEvent>> {
  const first = await events.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* events;
  })();
}

/** Also the server, or the connection to it, may be away for a moment. */
const mayGoOn = (error: unknown): boolean =>
  mayPass(error) ||
  (error instanceof CommandProblem &&
    ['unreachable', 'timeout', 'connection_lost'].includes(error.code ?? ''));

function readEvent(data: string): LogEvent {
  try {
    return eventShape.parse(JSON.parse(data));
  } catch {
    throw noSense();
  }
}

function endOf(end: LogEvent | null): ExitCode {
  if (end?.reason == null && end) return exitCodes.good;
  throw new CommandProblem(exitCodes.refused, end?.reason ?? 'The log broke off.', {
    recovery: 'Look at the app with `homeport app`, then try again.',
  });
}

const notes: Partial<Record<string, (event: LogEvent) => string>> = {
  missing: ({ process }) => `Lines may be missing here${process ? `, of ${process}` : ''}.`,
  anew: ({ process }) => `${process ?? 'A process'} has a new container.`,
  empty: () => 'The app has written nothing yet.',
  polled: () => 'This server lets nobody follow, so the log is read again from time to time.',
};

async function print({ out, err, isRead }: Terminal, event: LogEvent): Promise<void> {
  const note = notes[event.type]?.(event);
  if (note !== undefined) await err(`${oneLine(note)}\n`);
  if (event.lines.length === 0) return;
  const gap = isRead ? '  ' : '\t';
  const texts = event.lines.map(({ at, process, text }) =>
    [at === null ? '' : new Date(at).toISOString(), process, text].map(wholeLine).join(gap),
  );
  await out(`${texts.join('\n')}\n`);
}
