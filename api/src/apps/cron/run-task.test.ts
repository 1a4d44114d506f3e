import { CommandError } from '@homeport/ssh';
import type { Store } from '@homeport/store';
import { expect, test } from 'vitest';
import type { StepContext } from '../../operations/definition.ts';
import { runTask } from './run-task.ts';

const task = { id: 'abc', command: 'date', schedule: '@daily' };
const input = { appId: crypto.randomUUID(), longname: 'ledger-ab12cd', task: task.id, command: task.command };

// The command is never sent here, so no event is noted.
const db = {} as Store['db'];

/** A step on a server whose `cron:run` ends as given, with what the operation remembers. */
function stepOf(end: () => unknown) {
  const facts: Record<string, unknown> = {};
  const runs: string[] = [];
  const context = {
    input,
    facts,
    remember: async (found: object) => void Object.assign(facts, found),
    result: async () => {},
    toast: async () => {},
    run: async (_work: string, { words }: { words: readonly string[] }) => {
      if (words[0] === 'cron:list') return { exitCode: 0, stdout: JSON.stringify([task]), stderr: '' };
      runs.push(words.join(' '));
      return end();
    },
  } as unknown as StepContext<unknown>;
  return { runs, run: () => runTask({ db }).parse(input).run('run', context) };
}
const lost = (code: 'connection_lost' | 'timeout' | 'channel_refused') =>
  new CommandError({ code } as ConstructorParameters<typeof CommandError>[0], '');

test.each(['connection_lost', 'timeout'] as const)(
  'a task that may run on after %s is not begun again, until a person asks once more',
  async (code) => {
    const step = stepOf(() => {
      throw lost(code);
    });
    await expect(step.run()).rejects.toThrow(CommandError);
    await expect(step.run()).rejects.toThrow('end of the earlier run is not known');
    expect(step.runs).toEqual(['cron:run ledger-ab12cd abc']);
    await expect(step.run()).rejects.toThrow(CommandError);
    expect(step.runs).toHaveLength(2);
  },
);

test.each([
  ['was not begun', () => Promise.reject(lost('channel_refused'))],
  [
    'failed',
    () => ({ exitCode: 1, stdout: '', stderr: 'boom', record: { durationMs: 0, command: '', account: '' } }),
  ],
])('a task that %s is begun again by the next try', async (_how, end) => {
  const step = stepOf(end);
  await expect(step.run()).rejects.toThrow();
  await expect(step.run()).rejects.toThrow();
  expect(step.runs).toHaveLength(2);
});
