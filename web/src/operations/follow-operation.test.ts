import type { Operation, OperationEvent, OperationLine } from '@homeport/contract/operations/schema';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiProblem, unreachable } from '../data/api-problem.ts';
import type { EventOf } from '../data/open-stream.ts';
import { followOperation } from './follow-operation.ts';

type Event = EventOf<'GET /api/operations/:id/events'>;
/** The result of one try to open the stream: its events to its end, or a refusal. */
type Answer = Event[] | ApiProblem;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Follows a stream with the given answers in turn, until the operation is over or the page stops trying by itself. */
async function follow(...answers: Answer[]) {
  const asked: (string | null)[] = [];
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    const following = followOperation(
      'op-1',
      {
        onState: ({ state }) => heard.push(state),
        onLines: (lines) => heard.push(...lines.map(({ text }) => text)),
        onConnected: () => heard.push('connected'),
        onLost: (attempt, seconds) => {
          heard.push(`lost ${attempt}, next in ${seconds}`);
          if (seconds === null) resolve();
          else following.retryNow();
        },
        onOver: () => {
          heard.push('over');
          resolve();
        },
      },
      async (_id, after) => {
        asked.push(after);
        const answer = answers.shift() ?? notFound;
        if (answer instanceof ApiProblem) throw answer;
        return eventsOf(answer);
      },
    );
    stops.push(following.stop);
  });
  return { heard, asked };
}

async function* eventsOf(events: Event[]) {
  yield* events;
}

const notFound = new ApiProblem({ code: 'not_found', message: 'There is no such operation.', recovery: '' });
const line = (seq: number): OperationLine => ({ seq, at: 1, step: 's', stream: 'out', text: `line ${seq}` });
const event = (id: number, data: OperationEvent): Event => ({ id: String(id), data });
const lines = (...seqs: number[]) => event(seqs.at(-1) ?? 0, { type: 'lines', lines: seqs.map(line) });
const state = (value: Operation['state'], id: number) =>
  event(id, { type: 'state', operation: { state: value } as Operation });

describe('a followed operation', () => {
  it('gives its lines and ends with its last state', async () => {
    const { heard } = await follow([lines(1, 2), state('running', 2), lines(3), state('succeeded', 3)]);
    expect(heard).toEqual(['connected', 'line 1', 'line 2', 'running', 'line 3', 'succeeded', 'over']);
  });

  it('resumes after the last line when the stream is lost, and repeats none', async () => {
    const { heard, asked } = await follow([lines(1, 2)], [lines(2, 3), state('failed', 3)]);
    expect(asked).toEqual([null, '2']);
    expect(heard).toEqual([
      ...['connected', 'line 1', 'line 2', 'lost 1, next in 1'],
      ...['connected', 'line 3', 'failed', 'over'],
    ]);
  });

  it('waits longer each time and gives up after the fifth', async () => {
    const { heard } = await follow(...Array.from({ length: 6 }, unreachable));
    expect(heard).toEqual([
      ...[1, 2, 4, 8, 15].map((seconds, index) => `lost ${index + 1}, next in ${seconds}`),
      'lost 5, next in null',
    ]);
  });

  it('does not try again after a refusal', async () => {
    expect((await follow(notFound)).heard).toEqual(['lost 1, next in null']);
  });
});
