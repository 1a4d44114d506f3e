import type { OperationLine } from '@homeport/contract/operations/schema';
import { describe, expect, it } from 'vitest';
import { formatIso } from '../ui/text/format.ts';
import { nothingRead, type OperationReadingEvent, reduceOperation } from './operation-reading.ts';

const after = (...events: readonly OperationReadingEvent[]) => events.reduce(reduceOperation, nothingRead);
const line = (seq: number, stream: OperationLine['stream']): OperationLine => ({
  seq,
  at: seq,
  step: 'a',
  stream,
  text: `line ${seq}`,
});
const clock = (at: number) => formatIso(at).slice(11, 19);

describe('the reading of an operation', () => {
  it('collects lines, and shows notes of the console like output', () => {
    const { log } = after(
      { kind: 'lines', lines: [line(1, 'out'), line(2, 'err')] },
      {
        kind: 'lines',
        lines: [line(3, 'note')],
      },
    );
    expect(log.lines.map(({ text, kind }) => [text, kind])).toEqual([
      ['line 1', 'out'],
      ['line 2', 'err'],
      ['line 3', 'out'],
    ]);
  });

  it('keeps the time of the first loss while tries fail, and when the next try is due', () => {
    const { link } = after(
      { kind: 'lost', at: 10_000, attempt: 1, retryInSeconds: 1 },
      { kind: 'lost', at: 11_500, attempt: 2, retryInSeconds: 2 },
    );
    expect(link).toEqual({ kind: 'lost', since: 10_000, attempt: 2, retryAt: 13_500 });
  });

  it('has no next try after the last one', () => {
    const { link } = after({ kind: 'lost', at: 10_000, attempt: 5, retryInSeconds: null });
    expect(link).toMatchObject({ retryAt: null });
  });

  it('marks the place of a lost connection in the log once the connection is back', () => {
    const { log, link } = after(
      { kind: 'connected', at: 0 },
      { kind: 'lost', at: 10_000, attempt: 1, retryInSeconds: 1 },
      { kind: 'connected', at: 75_000 },
    );
    expect(link).toEqual({ kind: 'live' });
    expect(log.lines).toMatchObject([
      { kind: 'rule', text: `connection lost ${clock(10_000)}, back ${clock(75_000)}` },
    ]);
  });

  it('ends, and can start again', () => {
    expect(after({ kind: 'over' }).link).toEqual({ kind: 'ended' });
    expect(after({ kind: 'lines', lines: [line(1, 'out')] }, { kind: 'over' }, { kind: 'begun' })).toEqual(
      nothingRead,
    );
  });
});
