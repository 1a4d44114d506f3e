import { appName } from '@homeport/dokku';
import { expect, test } from 'vitest';
import type { Run } from '../../remote/run-command.ts';
import { changeList } from './change-list.ts';

/** A server with one list. `meanwhile` is what another person does before the command. */
function serverWith(
  list: string[],
  meanwhile: (command: string, list: Set<string>) => void = () => undefined,
) {
  const names = new Set(list);
  const ran: string[] = [];
  const run: Run = async ({ words }) => {
    const [command = '', , name = ''] = words;
    meanwhile(`${command} ${name}`.trim(), names);
    if (command === 'acl:add') names.add(name);
    if (command === 'acl:remove') names.delete(name);
    if (command !== 'acl:list') ran.push(`${command} ${name}`);
    const record = { account: 'root', command, exitCode: 0, startedAt: 0, durationMs: 0 };
    return { exitCode: 0, stdout: [...names].map((each) => `${each}\n`).join(''), stderr: '', record };
  };
  return { run, names, ran };
}
const app = appName('ledger');

test('adds before it removes', async () => {
  const { run, ran } = serverWith(['a', 'b']);
  await changeList(run, app, { add: ['c'], remove: ['a', 'b'], wanted: ['c'] });
  expect(ran).toEqual(['acl:add c', 'acl:remove a', 'acl:remove b']);
});

test('removes no name where another person took the wanted ones', async () => {
  const { run, names } = serverWith(['a', 'b'], (command, list) => {
    if (command === 'acl:list') list.delete('a');
  });
  await expect(changeList(run, app, { add: [], remove: ['b'], wanted: ['a'] })).rejects.toThrow(
    'Somebody else changes the list at the same time. b stays on it.',
  );
  expect([...names]).toEqual(['b']);
});

test('a list that another person emptied at the same moment is filled again', async () => {
  const { run, names } = serverWith(['a', 'b'], (command, list) => {
    if (command === 'acl:remove b') list.delete('a');
  });
  await expect(changeList(run, app, { add: [], remove: ['b'], wanted: ['a'] })).rejects.toThrow(
    'for a moment every key of the server could push',
  );
  expect([...names]).toEqual(['a']);
});
