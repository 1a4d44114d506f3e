import { CommandError } from '@homeport/ssh';
import { expect, test } from 'vitest';
import { ProblemError } from '../../http/problem.ts';
import { sayingAlso } from './put-keys.ts';

const desk = { name: 'desk', fingerprint: 'SHA256:x' };
const names = 'The server has the key desk now, which may push to its apps without a list.';
const failing = (error: unknown) => () => Promise.reject(error);

test('a refusal behind an added key names the key', async () => {
  const refused = new ProblemError('conflict', 'The list was changed.', { recovery: 'Look again.' });
  await expect(sayingAlso([desk], failing(refused))).rejects.toMatchObject({
    code: 'conflict',
    message: `The list was changed. ${names}`,
    details: { recovery: 'Look again.' },
  });
  await expect(sayingAlso([], failing(refused))).rejects.toBe(refused);
});

test('so does a command past its deadline', async () => {
  const timeout = new CommandError({
    code: 'timeout',
    deadlineMs: 60_000,
    outputTail: '',
    remoteEnded: true,
  });
  await expect(sayingAlso([desk], failing(timeout))).rejects.toMatchObject({
    code: 'remote_timeout',
    message: expect.stringContaining(names),
  });
});

test('a key is named once, by the work that knows it best', async () => {
  const inner = () => sayingAlso([desk], failing(new ProblemError('conflict', 'No.')));
  await expect(sayingAlso([desk], inner)).rejects.toMatchObject({ message: `No. ${names}` });
});

test('a lost connection passes as it is, because the step begins anew', async () => {
  const lost = new CommandError({ code: 'connection_lost', outputTail: '' });
  await expect(sayingAlso([desk], failing(lost))).rejects.toBe(lost);
});
