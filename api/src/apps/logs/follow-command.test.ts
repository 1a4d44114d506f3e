import { appName, logs } from '@homeport/dokku';
import { CommandError, type CommandOptions, type CommandResult } from '@homeport/ssh';
import { describe, expect, it, vi } from 'vitest';
import { type Followed, followCommand } from './follow-command.ts';

const command = logs.read(appName('ledger'), { lines: 1, follow: true });
const result = (exitCode: number): CommandResult => ({
  exitCode,
  signal: null,
  stdout: '',
  stderr: '',
  startedAt: 0,
  durationMs: 0,
  truncated: false,
});

/** Follows the output of `exec` to its end. */
async function follow(exec: (options: CommandOptions) => Promise<CommandResult>): Promise<Followed[]> {
  const told: Followed[] = [];
  const never = new AbortController().signal;
  for await (const followed of followCommand(
    { bootId: null, facts: { hostKeyType: '', hostKeyBlob: '' }, exec },
    { kind: 'root' },
    command,
    never,
  ))
    told.push(followed);
  return told;
}

const linesOf = (told: readonly Followed[]) =>
  told.flatMap((followed) => (followed.kind === 'lines' ? followed.lines : []));

describe('a followed command', () => {
  it('sends whole lines, and at the end the text after the last line end', async () => {
    const told = await follow(async ({ onStdout }) => {
      onStdout?.('one\ntw');
      onStdout?.('o\nthree');
      return result(0);
    });
    expect(linesOf(told)).toEqual(['one', 'two', 'three']);
    expect(told.at(-1)).toEqual({ kind: 'ended', exitCode: 0 });
  });
  it('sends no half line when the connection breaks inside a line', async () => {
    const error = new CommandError({ code: 'connection_lost', outputTail: '' });
    const told = await follow(async ({ onStdout }) => {
      onStdout?.('one\ntw');
      throw error;
    });
    expect(told).toEqual([
      { kind: 'lines', lines: ['one'] },
      { kind: 'failed', error },
    ]);
  });
  it('is repeated only when it reached its time limit', async () => {
    const told = await follow(async () => {
      throw new CommandError({ code: 'timeout', deadlineMs: 1, outputTail: '', remoteEnded: true });
    });
    expect(told).toEqual([{ kind: 'overdue' }]);
  });
  it('says once that the command is quiet, and not when it has written a line', async () => {
    vi.useFakeTimers();
    try {
      const silent = follow(async () => {
        await vi.advanceTimersByTimeAsync(60_000);
        return result(0);
      });
      expect(await silent).toEqual([{ kind: 'quiet' }, { kind: 'ended', exitCode: 0 }]);
      const speaking = follow(async ({ onStdout }) => {
        onStdout?.('one\n');
        await vi.advanceTimersByTimeAsync(60_000);
        return result(0);
      });
      expect((await speaking).map(({ kind }) => kind)).toEqual(['lines', 'ended']);
    } finally {
      vi.useRealTimers();
    }
  });
  it('is not started where the server gives the login no terminal', async () => {
    const told = await follow(async ({ follows }) => {
      expect(follows).toBe(true);
      throw new CommandError({ code: 'terminal_refused' });
    });
    expect(told).toEqual([{ kind: 'no_terminal' }]);
  });
  it('holds the command back while nobody reads its lines, and loses none', async () => {
    const line = 'x'.repeat(1_000);
    let held = 0;
    const told = await follow(async ({ onStdout }) => {
      for (let number = 0; number < 1_000; number += 1) {
        const taken = onStdout?.(`${number} ${line}\n`);
        if (taken) held += 1;
        await taken;
      }
      return result(0);
    });
    expect(held).toBe(1_000);
    expect(linesOf(told).map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: 1_000 }, (_, number) => number),
    );
  });
});
