import { ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bodyOf, password, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { endEmailChange, endWaysIn } from '../identity/ways-in/end-ways-in.ts';
import { lockAccount } from './account-lock.ts';

let api: TestApi;
let people = 0;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
});
afterAll(() => api?.[Symbol.asyncDispose]());

async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.store.db);
  return rows.length > 0;
}

const laptop = { name: 'laptop', scopes: ['servers:write'], days: 30 };
const makeToken = async (person: TestPerson) =>
  bodyOf<{ record: { id: string } }>(await person.call('POST /api/tokens', laptop), 201).record.id;

const addWebhook = async (person: TestPerson) => {
  const target = { kind: 'webhook', url: 'https://hooks.example.com/a' };
  const added = await person.call('POST /api/destinations', { name: 'chat', target });
  return bodyOf<{ record: { id: string } }>(added, 201).record.id;
};

const addPasskey = async ({ userId }: TestPerson) => {
  const { id } = await api.store.db
    .insertInto('passkeys')
    .values({
      ...{ owner_id: userId, name: 'key', credential_id: userId, public_key: Buffer.alloc(1) },
      ...{ counter: 0, backed_up: false, created_at: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

const beginEmailChange = (person: TestPerson, email: string) =>
  person.call('PUT /api/profile/email-change', { email, password });

type Act = [what: string, prepare: (person: TestPerson) => Promise<() => ReturnType<TestPerson['call']>>];

/** Each changes a row that ends with the ways into an account, and notes a security event behind it. */
const acts: Act[] = [
  [
    'a token is revoked',
    async (person) => {
      const id = await makeToken(person);
      return () => person.call(`DELETE /api/tokens/${id}`);
    },
  ],
  [
    'a passkey is removed',
    async (person) => {
      const id = await addPasskey(person);
      return () => person.call(`DELETE /api/passkeys/${id}`);
    },
  ],
  [
    'a secret of a destination is replaced',
    async (person) => {
      const id = await addWebhook(person);
      return () => person.call(`POST /api/destinations/${id}/secret`);
    },
  ],
  [
    'a test is sent to a destination',
    async (person) => {
      const id = await addWebhook(person);
      return () => person.call(`POST /api/destinations/${id}/test`);
    },
  ],
  [
    'another change of the address begins',
    async (person) => {
      bodyOf(await beginEmailChange(person, 'first@example.com'), 200);
      return () => beginEmailChange(person, 'second@example.com');
    },
  ],
  ['a token is made', async (person) => () => person.call('POST /api/tokens', laptop)],
  [
    'the other sign-ins end',
    async (person) => {
      const browser = api.visitor();
      bodyOf(await browser.call('POST /api/auth/sign-in/email', { email: person.email, password }), 200);
      return () => person.call('POST /api/sessions/end-others');
    },
  ],
];

it.each(acts)(
  '%s while the ways in end: neither waits for the other for ever',
  async (_what, prepare) => {
    people += 1;
    const person = await api.signUp(`person${people}`);
    const act = await prepare(person);
    const { acted } = await api.store.transact(ownerFromSession(person.userId), async (scope) => {
      await lockAccount(scope);
      const answer = act();
      await vi.waitFor(async () => expect(await someoneWaits()).toBe(true), 30_000);
      // Whatever the act holds by now is asked for here.
      await scope.db.deleteFrom('auth.session').where('userId', '=', scope.owner).execute();
      await endEmailChange(scope);
      await endWaysIn(scope, async () => async () => {});
      return { acted: answer };
    });
    expect((await acted).status).toBeLessThan(500);
    const left = await api.store.db
      .selectFrom('api_tokens')
      .select('id')
      .where('owner_id', '=', person.userId);
    expect(await left.execute()).toEqual([]);
  },
  60_000,
);
