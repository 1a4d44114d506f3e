import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import { expect, test } from 'vitest';
import { changeOf, untouched } from './checks-draft.ts';

const checks: AppChecks = {
  types: [
    { type: 'web', mode: 'checked', own: [], more: 0 },
    { type: 'worker', mode: 'skipped', own: [], more: 0 },
  ],
  ...{ manifest: 'none', checksFile: false, retireSeconds: 60 },
};

test('only what differs from the server is sent, with what the page showed', () => {
  expect(changeOf(checks, untouched)).toEqual({ body: null, wrong: false });
  expect(
    changeOf(checks, {
      modes: new Map([
        ['web', 'disabled'],
        ['worker', 'skipped'],
      ]),
      retire: '60',
    }),
  ).toEqual({ body: { modes: [{ type: 'web', from: 'checked', to: 'disabled' }] }, wrong: false });
  expect(changeOf(checks, { ...untouched, retire: ' 0 ' })).toEqual({
    body: { modes: [], retireSeconds: { from: 60, to: 0 } },
    wrong: false,
  });
});

test.each(['', 'abc', '-1', '1.5', '3601', '1e2'])('%j is no time', (retire) => {
  expect(changeOf(checks, { ...untouched, retire })).toEqual({ body: null, wrong: true });
});

test('a text that Dokku holds in place of a time is replaced', () => {
  const text = { ...checks, retireSeconds: null };
  expect(changeOf(text, untouched).body).toBeNull();
  expect(changeOf(text, { ...untouched, retire: '30' }).body).toEqual({
    modes: [],
    retireSeconds: { from: null, to: 30 },
  });
});
