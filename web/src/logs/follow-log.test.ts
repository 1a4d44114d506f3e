import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { describe, expect, it } from 'vitest';
import { NoConnection } from '../connections/with-connection.ts';
import { ApiProblem } from '../data/api-problem.ts';
import { followLog, type LogFollower, type LogLink } from './follow-log.ts';

async function* stream(...events: AppLogEvent[]) {
  for (const data of events) yield { id: '', data };
}
const lines = (...texts: string[]): AppLogEvent => ({
  type: 'lines',
  lines: texts.map((text) => ({ at: null, process: 'web.1', text })),
});

/** Follows until the given state of the connection. Returns everything that came before. */
async function follow(open: LogFollower['open'], until: LogLink['kind'], times = 1, again = true) {
  const stop = new AbortController();
  const seen: string[] = [];
  let left = times;
  await followLog(
    {
      open,
      again,
      onEvent(event) {
        if (event.type === 'lines') seen.push(...event.lines.map(({ text }) => text));
      },
      onLink(link) {
        seen.push(link.kind);
        if (link.kind === until && --left === 0) stop.abort();
      },
    },
    stop.signal,
  );
  return seen;
}

describe('following a log', () => {
  it('opens the stream again after the server ended it', async () => {
    let opened = 0;
    const open = async () => stream(lines(`${++opened}`), { type: 'ended', reason: 'A deploy.' });
    expect(await follow(open, 'paused', 2)).toEqual([
      ...['opening', 'live', '1', 'paused'],
      ...['live', '2', 'paused'],
    ]);
  });
  it('reads a log that does not grow once', async () => {
    const open = async () =>
      stream(lines('last words'), { type: 'ended', reason: 'The server ended the log.' });
    expect(await follow(open, 'unconnected', 1, false)).toEqual(['opening', 'live', 'last words', 'paused']);
  });
  it('tries again when the console cannot be reached', async () => {
    let tries = 0;
    const open = async () => {
      if (++tries === 1) throw new ApiProblem({ code: 'unavailable', message: 'No.', recovery: '' });
      return stream(lines('back'));
    };
    expect(await follow(open, 'paused', 2)).toContain('back');
  });
  it('waits for a person when no connection can be opened without a question', async () => {
    let tries = 0;
    const open = async () => {
      tries += 1;
      throw new NoConnection({ status: 'failed', code: 'declined', message: 'Not opened.' });
    };
    expect(await follow(open, 'live')).toEqual(['opening', 'unconnected']);
    expect(tries).toBe(1);
  });
  it('goes on by itself once an unreachable server answers again', async () => {
    let tries = 0;
    const open = async () => {
      if (++tries > 1) return stream(lines('back'));
      throw new NoConnection({ status: 'failed', code: 'unreachable', message: 'No SSH server answers.' });
    };
    expect(await follow(open, 'paused', 2)).toContain('back');
  });
  it('ends at a refusal, because another try would be refused too', async () => {
    const open = async () => {
      throw new ApiProblem({ code: 'not_found', message: 'Gone.', recovery: '' });
    };
    expect(await follow(open, 'live')).toEqual(['opening', 'failed']);
  });
});
