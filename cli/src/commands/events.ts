import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { type Console, noSense } from '../console/ask-console.ts';
import { readEvents } from '../console/event-stream.ts';
import { mayPass } from '../console/may-pass.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { oneLine } from '../output/safe-text.ts';
import type { Terminal } from '../terminal.ts';
import type { Command } from './command.ts';

const route = '/api/events';

/** `--json` prints members of a newer console, too. */
const changeShape = z.looseObject({ topic: z.string(), id: z.string().nullable() });

/** Together two minutes: a console that is updated or started anew answers again before. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];
/** A stream that was open for so long counts as a good one, also without a change. */
const goodAfterMs = 30_000;

export const events: Command = {
  words: ['events'],
  summary:
    'Prints each change of your records as it happens, until Ctrl-C: its topic, and the record’s id. “-” for the id: any record of the topic may have changed. You hear of what the token may read.',
  json: 'Each event of `GET /api/events`, one a line.',
  asksConsole: true,
  endsWithReader: true,
  async run({ terminal, json, signIn }) {
    const console = await signIn();
    await follow(console, terminal, json);
    return exitCodes.interrupted;
  },
};

/** Follows the changes until Ctrl-C. A stream that breaks off is opened again where it ended, so no change is missed. */
async function follow(console: Console, terminal: Terminal, json: boolean): Promise<void> {
  const signal = terminal.interrupted;
  const began = terminal.now();
  let lastEventId: string | undefined;
  let wasOpen = false;
  let tries = 0;
  while (!signal.aborted) {
    const openedAt = terminal.now();
    // Until the first event has a name, the time since the begin says what to repeat.
    const path = wasOpen && lastEventId === undefined ? `${route}?readMsAgo=${openedAt - began}` : route;
    try {
      const stream = readEvents(console, path, {
        signal,
        opened: () => {
          wasOpen = true;
        },
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
      for await (const { id, data } of stream) {
        tries = 0;
        lastEventId = id ?? lastEventId;
        await print(terminal, readChange(data), json);
      }
    } catch (error) {
      if (!wasOpen || !mayPass(error)) throw error;
    }
    if (signal.aborted) return;
    if (terminal.now() - openedAt >= goodAfterMs) tries = 0;
    const wait = waitsMs[tries];
    if (wait === undefined)
      throw new CommandProblem(exitCodes.failed, 'The stream of changes broke off again and again.', {
        recovery: 'Try `homeport events` in a moment.',
      });
    if (tries === 0) await terminal.err('The stream of changes ended. Opening it again.\n');
    tries += 1;
    await terminal.wait(wait);
  }
}

function readChange(data: string): z.output<typeof changeShape> {
  try {
    return changeShape.parse(JSON.parse(data));
  } catch {
    throw noSense();
  }
}

const print = (terminal: Terminal, change: z.output<typeof changeShape>, json: boolean): Promise<void> =>
  json
    ? printJson(terminal, JSON.stringify(change))
    : terminal.out(`${oneLine(change.topic)}\t${oneLine(change.id ?? '-')}\n`);
