import { expect, test } from 'vitest';
import { failed } from '../../../connections/opening-state.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { ApiProblem } from '../../../data/api-problem.ts';
import { firewallBadge, firewallFailure } from './firewall-failure.ts';

const noConnection = (code: Parameters<typeof failed>[0]) => new NoConnection(failed(code, 'Why.'));

test('a login that the server refuses is a refusal', () => {
  expect(firewallFailure(noConnection('auth_refused'))).toEqual({ kind: 'refused', text: 'Why.' });
  expect(firewallFailure(noConnection('password_refused')).kind).toBe('refused');
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

test('a credential that could not be shown to the server is no refused login', () => {
  for (const code of ['key_missing', 'agent_refused', 'algorithm_refused'] as const)
    expect(firewallFailure(noConnection(code)).kind).toBe('unusable');
});

const states = ['active', 'inactive', 'not_installed', 'no_permission', 'failed'] as const;
const failures = ['refused', 'unusable', 'declined', 'failed'] as const;

test('the badge says Authenticated only beside an answer, and Authentication Failed only after a refused login', () => {
  const badges = [undefined, ...states].flatMap((state) =>
    [null, ...failures].map((kind) => {
      const badge = firewallBadge(state && { state }, kind && { kind });
      return [state ?? 'none', kind ?? 'none', badge].join(' ');
    }),
  );
  expect(badges.filter((each) => each.endsWith(' authentication_failed'))).toEqual(
    ['none', ...states].map((state) => `${state} refused authentication_failed`),
  );
  expect(badges.filter((each) => each.endsWith(' authenticated'))).toEqual(
    ['active', 'inactive', 'not_installed'].flatMap((state) =>
      ['none', 'declined'].map((kind) => `${state} ${kind} authenticated`),
    ),
  );
  expect(firewallBadge({ state: 'no_permission' }, null)).toBe('could_not_ask');
  expect(firewallBadge({ state: 'active' }, { kind: 'failed' })).toBe('could_not_ask');
  expect(firewallBadge(undefined, { kind: 'declined' })).toBeNull();
});
