import { expect, test } from 'vitest';
import type { StepContext } from '../../operations/definition.ts';
import { stopCommand } from './stop-command.ts';

const longname = 'ledger-ab12cd';
const container = `${longname}.run.7`;
const input = { appId: crypto.randomUUID(), longname, container };

/** A server that lists the command in this state. */
async function stopWhile(state: string) {
  const listed = [{ name: container, state, command: '"sleep"', created_at: '' }];
  const sent: string[] = [];
  const toasts: string[] = [];
  const context = {
    input,
    run: async (_account: string, { words }: { words: readonly string[] }) => {
      sent.push(words[0] ?? '');
      return { exitCode: 0, stdout: JSON.stringify(listed), stderr: '' };
    },
    toast: async (_tone: string, text: string) => void toasts.push(text),
  } as unknown as StepContext<unknown>;
  const outcome = await stopCommand().parse(input).run('stop', context);
  return { outcome, sent, toasts };
}

test('a command that runs is stopped', async () => {
  const { sent, toasts } = await stopWhile('running');
  expect(sent).toEqual(['run:list', 'run:stop']);
  expect(toasts).toEqual([`${container} stopped`]);
});

test('a command that has ended and is still listed is not said to be stopped', async () => {
  const { outcome, sent, toasts } = await stopWhile('exited');
  expect(outcome).toMatchObject({ state: 'skipped', note: 'The command has ended already.' });
  expect(sent).toEqual(['run:list']);
  expect(toasts).toEqual([]);
});
