import type { App } from '@homeport/contract/apps/schema';
import { expect, it } from 'vitest';
import { serverAppRows } from './server-app-rows.ts';

const app = (name: string, at: number | null = 1) =>
  ({ name, longname: `${name}-x1`, deployment: { status: 'succeeded', at } }) as App;
const ours = [app('postbox'), app('atlas', null)];

it('lists the apps of others beside ours, by name', () => {
  const rows = serverAppRows(ours, [{ longname: 'postbox-x1' }, { longname: 'blog' }]);
  expect(rows.map(({ longname, app }) => [longname, app !== null])).toEqual([
    ['atlas-x1', true],
    ['blog', false],
    ['postbox-x1', true],
  ]);
});

it('marks apps that are gone from the server, except apps whose creation goes on', () => {
  expect(serverAppRows(ours, []).map(({ longname, gone }) => [longname, gone])).toEqual([
    ['atlas-x1', false],
    ['postbox-x1', true],
  ]);
});

it('marks no app as gone before the server was asked', () => {
  expect(serverAppRows(ours, null).every(({ gone }) => !gone)).toBe(true);
});
