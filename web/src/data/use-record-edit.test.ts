import { type App, appSchema } from '@homeport/contract/apps/schema';
import { expect, test } from 'vitest';
import { ApiProblem } from './api-problem.ts';
import { changedElsewhere, sendEdit } from './use-record-edit.ts';

const app: App = {
  id: '6d1f3c54-6f0a-4f5c-9b7d-2b8d3a0c1e11',
  name: 'ledger',
  longname: 'ledger-abcdef',
  serverId: '6d1f3c54-6f0a-4f5c-9b7d-2b8d3a0c1e12',
  serverKey: 'k',
  serverName: 'lantern',
  monitorId: 'm',
  plan: 3,
  domains: [],
  url: null,
  stopped: false,
  crash: null,
  deployBranch: null,
  keys: null,
  https: false,
  imported: false,
  unread: false,
  missingSince: null,
  repository: null,
  deployment: { status: 'never', at: null },
  startedAt: null,
  createdAt: 1,
  version: 2,
};
const refused = (code: 'stale_edit' | 'conflict', current: unknown) =>
  new ApiProblem({ code, message: 'Changed.', recovery: 'Look.', current });

/** A console with the app in the state `now`, which takes edits of that version only. */
function consoleWith(now: App) {
  const taken: string[] = [];
  const send = async (name: string, known: App) => {
    if (known.version !== now.version) throw refused('stale_edit', now);
    taken.push(name);
  };
  return { taken, edit: { part: ({ name }: App) => name, send } };
}

test('a refused edit holds the current app', () => {
  expect(changedElsewhere(appSchema, refused('stale_edit', app))).toEqual(app);
  expect(changedElsewhere(appSchema, refused('stale_edit', { name: 1 }))).toBeNull();
  expect(changedElsewhere(appSchema, refused('conflict', app))).toBeNull();
  expect(changedElsewhere(appSchema, new Error('gone'))).toBeNull();
});

test('an edit succeeds when another field of the app changed', async () => {
  const now: App = { ...app, repository: { fullName: 'ines/ledger', branch: 'main' }, version: 3 };
  const { taken, edit } = consoleWith(now);
  await sendEdit(appSchema, edit, 'daybook', app);
  expect(taken).toEqual(['daybook']);
});

test('an edit of a field that changed elsewhere is not sent again by itself', async () => {
  const { taken, edit } = consoleWith({ ...app, name: 'journal', version: 3 });
  await expect(sendEdit(appSchema, edit, 'daybook', app)).rejects.toMatchObject({
    problem: { code: 'stale_edit', current: { name: 'journal' } },
  });
  expect(taken).toEqual([]);
});
