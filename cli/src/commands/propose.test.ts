import { type Planted, plantOneOfEach } from '@homeport/api/testing/plant';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '@homeport/api/testing/test-api';
import type { Proposal } from '@homeport/contract/proposals/schema';
import type { TokenScope } from '@homeport/contract/tokens/facts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testHome } from '../testing/terminal.ts';

let api: TestApi;
let ada: TestPerson;
let things: Planted;
let token: string;
const home = testHome();
beforeAll(async () => {
  api = await startTestApi();
  ada = await api.signUp('ada');
  things = await plantOneOfEach(api.store.db, ada.userId);
  token = await tokenWith(['apps:propose']);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await api?.[Symbol.asyncDispose]();
});

async function tokenWith(scopes: readonly TokenScope[]): Promise<string> {
  const made = await ada.call('POST /api/tokens', { kind: 'agent', name: 'terminal', scopes, days: 30 });
  return bodyOf<{ token: string }>(made, 201).token;
}

const open = async () => {
  const all = bodyOf<Proposal[]>(await ada.call('GET /api/proposals'), 200);
  return all.filter(({ state, id }) => state === 'open' && id !== things.proposals);
};
const decide = async (how: 'approve' | 'decline') => {
  const [proposal] = await open();
  if (!proposal) throw new Error('nothing is proposed');
  const key = `/api/proposals/${proposal.id}`;
  const { digest } = bodyOf<{ digest: string }>(await ada.call(`GET ${key}`), 200);
  return ada.call(`POST ${key}/${how}`, how === 'approve' ? { digest } : undefined);
};
/** The person decides while the command waits. */
const run = (argv: string[], wait: () => Promise<unknown> = async () => {}, bearer = token) =>
  home.run(['propose', ...argv], {
    env: { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: bearer, HOMEPORT_APP: things.apps },
    wait: async () => {
      await wait();
    },
  });
const why = ['--why', 'It answers slowly.'];

it('says what would run and where, waits, and ends well with the work that was approved', async () => {
  const { exit, out, err } = await run(['restart', things.apps, ...why], () => decide('approve'));
  expect(exit).toBe(0);
  expect(err).toContain('ps:restart');
  expect(err).toContain(`Nothing has run. Approve or decline at ${api.url}/approve/`);
  const [, operation = ''] = out.trim().split('\t');
  expect(out).toMatch(/^Approved\t/);
  expect(bodyOf(await ada.call(`GET /api/operations/${operation}`), 200)).toMatchObject({
    kind: 'app.restart',
    appId: things.apps,
  });
});

it('ends with 3 where the person declines, and prints the proposal as JSON', async () => {
  const { exit, out } = await run(['domain', '--to', 'shop.example.net', ...why, '--json'], () =>
    decide('decline'),
  );
  expect(exit).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ state: 'declined', route: 'POST /api/apps/:id/domains' });
});

it('does not wait where it is told so, and repeats no proposal', async () => {
  const args = ['plan', '--to', '5', ...why, '--no-wait', '--json'];
  const first = await run(args);
  expect(first.exit).toBe(0);
  expect(JSON.parse((await run(args)).out).id).toBe(JSON.parse(first.out).id);
  expect((await open()).map(({ title }) => title)).toEqual(['Change to plan 5']);
  await decide('decline');
});

it('ends with 6 where nobody decides in time, and leaves the proposal open', async () => {
  const { exit, out } = await run(['stop', ...why, '--timeout', '1'], () => new Promise(setImmediate));
  expect([exit, out.split('\t')[0]]).toEqual([6, 'Open']);
  expect(await open()).toHaveLength(1);
  await decide('decline');
});

it.each([
  ['no reason', ['restart']],
  ['no number', ['scale', '--to', 'web', ...why]],
  ['no domain', ['domain', ...why]],
  ['a plan that is none', ['plan', '--to', 'large', ...why]],
  ['a value that does not belong', ['stop', '--to', 'web', ...why]],
])('refuses %s with 2, and asks the console nothing', async (_what, argv) => {
  const { exit, out } = await home.run(['propose', ...argv], { env: { HOMEPORT_APP: 'blog' } });
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
});

it('says that the console has not read the processes yet', async () => {
  const { exit, err } = await run(['scale', '--to', 'web=2', ...why]);
  expect(exit).toBe(7);
  expect(err).toContain('Open the page of the app');
});

it('ends with 4 where the token may not propose', async () => {
  const { exit, err } = await run(['restart', ...why], undefined, await tokenWith(['apps:read']));
  expect(exit).toBe(4);
  expect(err).toContain('lacks the scope apps:propose');
});

it('says once that the app has changed since, and waits on', async () => {
  let looks = 0;
  const { exit, err } = await run(['restart', things.apps, ...why], async () => {
    looks += 1;
    if (looks === 1)
      await api.store.db
        .updateTable('apps')
        .set({ domains: ['other.example.com'] })
        .where('id', '=', things.apps)
        .execute();
    if (looks === 4) await decide('decline');
  });
  expect(exit).toBe(3);
  expect(err.match(/has changed since this was proposed/g)).toHaveLength(1);
});
