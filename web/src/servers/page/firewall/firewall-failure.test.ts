import { expect, test } from 'vitest';
import { failed } from '../../../connections/opening-state.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { ApiProblem } from '../../../data/api-problem.ts';
import { firewallFailure } from './firewall-failure.ts';

const noConnection = (code: Parameters<typeof failed>[0]) => new NoConnection(failed(code, 'Why.'));

test('a login that the server refuses is a refusal', () => {
  expect(firewallFailure(noConnection('auth_refused'))).toEqual({ kind: 'refused', text: 'Why.' });
  expect(firewallFailure(noConnection('key_missing')).kind).toBe('refused');
});

test('an unreachable server and a changed host key are no refused logins', () => {
  expect(firewallFailure(noConnection('unreachable')).kind).toBe('failed');
  expect(firewallFailure(noConnection('host_key_changed')).kind).toBe('failed');
});

test('an opening that the person declined is no refused login and no failure', () => {
  expect(firewallFailure(noConnection('declined')).kind).toBe('declined');
});

test('a failed command gives the cause and the remedy', () => {
  const problem = { code: 'remote_timeout', message: 'It took too long.', recovery: 'Try again.' } as const;
  expect(firewallFailure(new ApiProblem(problem))).toEqual({
    kind: 'failed',
    text: 'It took too long. Try again.',
  });
});
