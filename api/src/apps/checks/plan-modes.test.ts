import type { CheckMode } from '@homeport/contract/apps/checks/facts';
import { appName, type checks, processType } from '@homeport/dokku';
import { expect, test } from 'vitest';
import { planModes } from './plan-modes.ts';

const report = (disabled: string, skipped: string): checks.ChecksReport => ({
  disabled: new Set(disabled.split(',').filter(Boolean)),
  skipped: new Set(skipped.split(',').filter(Boolean)),
  retireSeconds: 60,
});
const plan = (now: checks.ChecksReport, wanted: Record<string, CheckMode>) =>
  planModes(
    appName('hello'),
    now,
    new Map(Object.entries(wanted).map(([type, mode]) => [processType(type), mode])),
  ).commands.map(({ words }) => words.join(' '));

test('what holds already needs no command', () => {
  expect(plan(report('web', 'worker'), { web: 'disabled', worker: 'skipped', clock: 'checked' })).toEqual([]);
});

test('a type that is only added to a list empties none', () => {
  expect(
    plan(report('web', ''), { web: 'disabled', worker: 'disabled', clock: 'skipped', jobs: 'checked' }),
  ).toEqual(['checks:disable hello worker', 'checks:skip hello clock']);
});

test('where a type comes off a list, both are emptied and filled anew, because Dokku takes off letters', () => {
  expect(plan(report('webhooks', 'web'), { web: 'checked', webhooks: 'disabled' })).toEqual([
    'checks:enable hello',
    'checks:disable hello webhooks',
  ]);
  expect(plan(report('', 'worker,worker-mail'), { worker: 'disabled', 'worker-mail': 'skipped' })).toEqual([
    'checks:enable hello',
    'checks:disable hello worker',
    'checks:skip hello worker-mail',
  ]);
  expect(plan(report('web', 'web'), { web: 'disabled' })).toEqual([
    'checks:enable hello',
    'checks:disable hello web',
  ]);
});

test('a list of all is emptied first, and the types that keep their mode are named', () => {
  expect(plan(report('_all_', ''), { web: 'checked', worker: 'disabled', clock: 'disabled' })).toEqual([
    'checks:enable hello',
    'checks:disable hello worker,clock',
  ]);
  expect(plan(report('worker', '_all_'), { web: 'checked', worker: 'disabled' })).toEqual([
    'checks:enable hello',
    'checks:disable hello worker',
  ]);
});
