import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { asProblem, type Console, openAnswer } from './ask-console.ts';

export interface StreamEvent {
  id: string | undefined;
  data: string;
}

/** The api puts at most 250 lines of 4,000 characters into an event. */
const mostEventCharacters = 8 * 1024 * 1024;
/** The api says something every 15 seconds. */
const silentAtMostMs = 60_000;

/**
 * The events of a route that streams (HTML standard, "Server-sent events"), until the stream ends.
 *
 * @throws CommandProblem for an answer that is no stream, and for an event that is too long
 */
export async function* readEvents(
  console: Console,
  path: string,
  {
    lastEventId,
    signal,
    opened = () => {},
  }: { lastEventId?: string; signal: AbortSignal; opened?: () => void },
): AsyncGenerator<StreamEvent> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silentAtMostMs);
  try {
    const response = await openAnswer(console, {
      method: 'GET',
      path,
      accept: 'text/event-stream',
      signal: AbortSignal.any([signal, silence.signal]),
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
    if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw new CommandProblem(exitCodes.failed, 'The answer is no stream of events.', {
        recovery: 'Check the address, and the version of the console.',
      });
    }
    opened();
    const decoder = new TextDecoder();
    const parser = createParser();
    for await (const part of response.body ?? []) {
      timer.refresh();
      yield* parser.take(decoder.decode(part, { stream: true }));
    }
  } catch (error) {
    // The caller asked for the end, or goes on from the last event.
    if (signal.aborted || silence.signal.aborted) return;
    throw asProblem(console, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads events out of the pieces of a stream. */
export function createParser() {
  let rest = '';
  let id: string | undefined;
  let data: string[] = [];
  let size = 0;
  return {
    *take(text: string): Generator<StreamEvent> {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.map((each) => each.replace(/\r$/, ''))) {
        const colon = line.indexOf(':');
        const name = colon === -1 ? line : line.slice(0, colon);
        const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
        // With its end: a stream of empty lines grows an event, too.
        size += line.length + 1;
        if (name === 'data') data.push(value);
        else if (name === 'id') id = value;
        else if (line === '') {
          if (data.length > 0) yield { id, data: data.join('\n') };
          data = [];
          size = 0;
        }
      }
      if (size + rest.length > mostEventCharacters)
        throw new CommandProblem(exitCodes.failed, 'An event is longer than any of a console.', {
          recovery: 'Check the address.',
        });
    },
  };
}
