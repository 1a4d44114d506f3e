import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { CommandError, type CommandOptions, type CommandResult } from '@homeport/ssh';
import { expect, test, vi } from 'vitest';
import { streamAppLog } from './log-stream.ts';

const line = (second: number, text: string) => `2026-01-01T00:00:0${second}.000000000Z app[web.1]: ${text}\n`;

/** Reads the log of a server that refuses terminals, until `count` events came. `logs` are its answers in turn. */
async function read(logs: readonly string[], count: number, lines = 50) {
  const asked: CommandOptions[] = [];
  const leave = new AbortController();
  const connection = {
    bootId: null,
    facts: { hostKeyType: '', hostKeyBlob: '' },
    async exec(options: CommandOptions) {
      if (options.follows) throw new CommandError({ code: 'terminal_refused' });
      const stdout = logs[Math.min(asked.length, logs.length - 1)] ?? '';
      asked.push(options);
      return { exitCode: 0, signal: null, stdout, stderr: '', startedAt: 0, durationMs: 1, truncated: false };
    },
  };
  const request = { longname: 'ledger', lines, process: null, cursor: null, follow: true };
  const events: AppLogEvent[] = [];
  const account = { kind: 'console', user: 'homeport' } as const;
  for await (const { data } of streamAppLog(connection, account, request, leave.signal, 1)) {
    events.push(data);
    if (events.length === count) leave.abort();
  }
  return { events, asked };
}

const textsOf = (events: readonly AppLogEvent[]) =>
  events.flatMap((event) => (event.type === 'lines' ? event.lines.map(({ text }) => text) : []));

test('without a terminal the log is read again and again: nothing follows, and each line comes once', async () => {
  const first = line(1, 'one') + line(2, 'two');
  const { events, asked } = await read([first, first, first + line(3, 'three')], 3);
  expect(events[0]).toEqual({ type: 'polled', everyMs: 1 });
  expect(textsOf(events)).toEqual(['one', 'two', 'three']);
  expect(asked).toHaveLength(3);
  for (const { argv } of asked) expect(argv).not.toContain('--tail');
});

test('without a terminal an empty log is said to be empty, and its first line still comes', async () => {
  const { events } = await read(['', line(1, 'one')], 3);
  expect(events.slice(0, 2)).toEqual([{ type: 'polled', everyMs: 1 }, { type: 'empty' }]);
  expect(textsOf(events)).toEqual(['one']);
});

test('without a terminal a reader who asked for a long log is told that lines may be missing', async () => {
  const { events, asked } = await read([line(1, 'one')], 3, 100_000);
  expect(events[1]).toEqual({ type: 'missing', process: null });
  expect(asked[0]?.argv).toContain('2000');
});

test('a followed log is said to be empty only once the server has answered so', async () => {
  vi.useFakeTimers();
  try {
    const leave = new AbortController();
    let answer = (_stdout: string) => {};
    const connection = {
      bootId: null,
      facts: { hostKeyType: '', hostKeyBlob: '' },
      exec: (options: CommandOptions) =>
        new Promise<CommandResult>((resolve, reject) => {
          const ended = { code: 'cancelled', outputTail: '', remoteEnded: true } as const;
          if (options.follows)
            options.signal?.addEventListener('abort', () => reject(new CommandError(ended)), { once: true });
          else
            answer = (stdout) =>
              resolve({
                ...{ exitCode: 0, signal: null, stdout, stderr: '' },
                ...{ startedAt: 0, durationMs: 1, truncated: false },
              });
        }),
    };
    const request = { longname: 'ledger', lines: 50, process: null, cursor: null, follow: true };
    const stream = streamAppLog(connection, { kind: 'console', user: 'homeport' }, request, leave.signal);
    const told: AppLogEvent[] = [];
    const first = stream.next().then(({ value }) => {
      if (value) told.push(value.data);
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(told).toEqual([]);
    answer('');
    await first;
    expect(told).toEqual([{ type: 'empty' }]);
    leave.abort();
    await stream.return(undefined);
  } finally {
    vi.useRealTimers();
  }
});
