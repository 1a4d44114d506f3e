import { securityEventsKept, userAgentCharacters } from '@homeport/contract/account/facts';
import type { SecurityEvent, SignIn } from '@homeport/contract/account/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bodyOf,
  password,
  startTestApi,
  type TestApi,
  type TestPerson,
  type TestVisitor,
} from '../http/testing.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { plantOneOfEach, plantServer, randomPublicKey, runningReplica } from '../testing/plant.ts';
import { textOfStore } from '../testing/text-of-store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  // Everybody after the first account is a guest of the console.
  await api.signUp('owner-of-all');
});
afterAll(() => api?.[Symbol.asyncDispose]());

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let addresses = 0;
/** From a new address each time, because sign-ins are limited per address. */
async function signInAgain(email: string, tried = password, userAgent = firefox) {
  const visitor = api.visitor();
  const body = { email, password: tried };
  const answer = await visitor.call('POST /api/auth/sign-in/email', body, {
    'user-agent': userAgent,
    'x-forwarded-for': `127.0.1.${++addresses}`,
  });
  return { visitor, answer };
}
const sessionsOf = async (person: TestVisitor) =>
  bodyOf<SignIn[]>(await person.call('GET /api/sessions'), 200);
const eventsOf = async (person: TestVisitor) =>
  bodyOf<SecurityEvent[]>(await person.call('GET /api/security-events'), 200);
const isSignedIn = async (visitor: TestVisitor) => (await visitor.call('GET /api/session')).status === 200;

describe('a changed password', () => {
  const change = (person: TestVisitor, currentPassword: string, newPassword: string) =>
    person.call('PUT /api/profile/password', { currentPassword, newPassword });

  it('lets the new password in and ends every other sign-in, and the asking one goes on', async () => {
    const ada = await api.signUp('ada-password');
    const { visitor: elsewhere } = await signInAgain(ada.email);
    expect(await change(ada, password, 'a better password')).toMatchObject({
      status: 200,
      body: { endedSessions: 1 },
    });
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(ada)).toBe(true);
    expect((await signInAgain(ada.email)).answer.status).toBe(401);
    expect((await signInAgain(ada.email, 'a better password')).answer.status).toBe(200);
    expect((await eventsOf(ada)).map(({ kind }) => kind)).toContain('password_changed');
  });

  it('needs the old password, and tries at it are limited', async () => {
    const ada = await api.signUp('ada-guess');
    const { visitor: elsewhere } = await signInAgain(ada.email);
    expect(await change(ada, 'not the one', 'a better password')).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', fields: { currentPassword: 'This is not your password.' } },
    });
    expect(await isSignedIn(elsewhere)).toBe(true);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => change(ada, `guess number ${n}`, 'a better password')),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(3);
    expect((await change(ada, password, 'a better password')).status).toBe(429);
  });

  it('is refused with a sentence for an account without a password', async () => {
    const ada = await api.signUp('ada-without');
    await sql`delete from auth.account where "userId" = ${ada.userId}`.execute(api.store.db);
    expect((await ada.call('GET /api/profile')).body).toMatchObject({ hasPassword: false });
    expect(await change(ada, password, 'a better password')).toMatchObject({
      status: 400,
      body: { fields: { currentPassword: expect.stringContaining('no password yet') } },
    });
  });
});

describe('the sign-ins', () => {
  it('are listed with their device and place in words, and one can be ended', async () => {
    const ada = await api.signUp('ada-sessions');
    const { visitor: elsewhere } = await signInAgain(ada.email);
    const listed = await sessionsOf(ada);
    expect(listed).toHaveLength(2);
    expect(listed.find(({ current }) => !current)).toMatchObject({
      device: 'Firefox on Linux',
      address: expect.stringMatching(/^127\.0\.1\./),
      place: 'This machine',
      signedInAt: expect.any(Number),
    });
    const other = listed.find(({ current }) => !current);
    expect((await ada.call(`POST /api/sessions/${other?.id}/end`, {})).status).toBe(200);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect((await sessionsOf(ada)).map(({ current }) => current)).toEqual([true]);
    expect((await ada.call(`POST /api/sessions/${other?.id}/end`, {})).status).toBe(404);
  });

  it('beside the asking one all end at once', async () => {
    const ada = await api.signUp('ada-others');
    const others = await Promise.all([1, 2, 3].map(() => signInAgain(ada.email)));
    expect((await ada.call('POST /api/sessions/end-others', {})).body).toEqual({ ended: 3 });
    for (const { visitor } of others) expect(await isSignedIn(visitor)).toBe(false);
    expect(await isSignedIn(ada)).toBe(true);
    expect((await eventsOf(ada))[0]).toMatchObject({ kind: 'sessions_ended', subject: '3 sign-ins' });
  });

  it('keep at most the bound of what a browser says of itself', async () => {
    const ada = await api.signUp('ada-agent');
    await signInAgain(ada.email, password, `${firefox} ${'x'.repeat(8_000)}`);
    const rows = await api.store.db
      .selectFrom('auth.session')
      .select('userAgent')
      .where('userId', '=', ada.userId)
      .execute();
    expect(Math.max(...rows.map(({ userAgent }) => userAgent?.length ?? 0))).toBe(userAgentCharacters);
  });
});

describe('the security events', () => {
  it('name sign-ins, keys and accepted host keys, the newest first', async () => {
    const ada = await api.signUp('ada-events');
    await signInAgain(ada.email);
    const key = await ada.call('POST /api/keys', { name: 'laptop', publicKey: randomPublicKey() });
    const { id } = bodyOf<{ id: string }>(key, 201);
    await ada.call(`DELETE /api/keys/${id}`);
    const server = await plantServer(api.store.db, ada.userId, { name: 'lantern' });
    const pin = { from: null, to: `SHA256:${'A'.repeat(43)}`, algorithm: 'ssh-ed25519' };
    expect((await ada.call(`PUT /api/servers/${server.id}/host-key`, pin)).status).toBe(200);
    await expect
      .poll(async () => (await eventsOf(ada)).map(({ kind, subject }) => [kind, subject]))
      .toEqual([
        ['host_key_accepted', 'lantern'],
        ['key_removed', 'laptop'],
        ['key_added', 'laptop'],
        ['new_browser_signed_in', null],
        ['signed_up', null],
      ]);
  });

  it('count failed sign-ins of an hour in one event, so that a stranger pushes none out', async () => {
    const ada = await api.signUp('ada-failed');
    for (let n = 0; n < 3; n++) await signInAgain(ada.email, 'not the one', 'curl/8');
    await expect
      .poll(() => eventsOf(ada))
      .toMatchObject([
        { kind: 'sign_in_failed', count: 3, device: 'An unknown program', place: 'This machine' },
        { kind: 'signed_up', count: 1 },
      ]);
  });

  it('are bounded by kind: the next one removes the oldest of its kind, and none of another', async () => {
    const ada = await api.signUp('ada-bounded');
    const { db } = api.store;
    for (let n = 0; n < securityEventsKept + 5; n++)
      await noteSecurityEvent(db, {
        owner: ada.userId,
        kind: 'key_added',
        subject: `key ${n} ${'x'.repeat(500)}`,
        from: { address: '192.0.2.1', userAgent: null },
        at: Date.now() + n,
      });
    const events = await eventsOf(ada);
    expect(events).toHaveLength(securityEventsKept + 1);
    expect(events.at(-1)?.kind).toBe('signed_up');
    expect(events.at(-2)?.subject).toMatch(/^key 5 /);
    expect(events[0]?.subject).toHaveLength(120);
    const kept = await db
      .selectFrom('security_events')
      .select('id')
      .where('owner_id', '=', ada.userId)
      .execute();
    expect(kept).toHaveLength(securityEventsKept + 1);
  });
});

it('a key gets another name, and an empty one is refused beside its field', async () => {
  const ada: TestPerson = await api.signUp('ada-key');
  const made = await ada.call('POST /api/keys', { name: 'laptop', publicKey: randomPublicKey() });
  const { id } = bodyOf<{ id: string }>(made, 201);
  expect(await ada.call(`PATCH /api/keys/${id}`, { name: ' desktop ' })).toMatchObject({
    status: 200,
    body: { id, name: 'desktop' },
  });
  expect((await ada.call('GET /api/keys')).body).toMatchObject([{ id, name: 'desktop' }]);
  expect(await ada.call(`PATCH /api/keys/${id}`, { name: ' ' })).toMatchObject({
    status: 400,
    body: { fields: { name: 'Enter a name.' } },
  });
});

describe('a deleted account', () => {
  const remove = (person: TestVisitor, body: object) => person.call('POST /api/profile/delete', body);
  const good = { confirmation: 'delete', password };

  it('leaves no row of its person, ends every sign-in and token, and touches nobody else', async () => {
    const ada = await api.signUp('ada-leaves');
    const eve = await api.signUp('eve-stays');
    // A backup of the console is nobody's, and stays.
    const { backups: _, ...things } = await plantOneOfEach(api.store.db, ada.userId);
    const hers = await plantOneOfEach(api.store.db, eve.userId);
    const { visitor: elsewhere } = await signInAgain(ada.email);
    const made = await ada.call('POST /api/tokens', { name: 'b', scopes: ['apps:read'], days: 1 });
    const { token } = bodyOf<{ token: string }>(made, 201);
    expect(await remove(ada, good)).toMatchObject({ status: 200, body: { deleted: true } });
    for (const visitor of [ada, elsewhere]) expect(await isSignedIn(visitor)).toBe(false);
    const authorization = `Bearer ${token}`;
    expect((await fetch(`${api.url}/api/apps`, { headers: { authorization } })).status).toBe(401);
    await vi.waitFor(async () => {
      // A domain that a proxy held names its last holder for a while, so that nobody takes it over at once.
      const left = await textOfStore(api.store.db, ['public.freed_names']);
      for (const mine of [ada.userId, ada.email, ...Object.values(things)]) expect(left).not.toContain(mine);
      for (const others of [eve.userId, ...Object.values(hers)]) expect(left).toContain(others);
    }, 30_000);
    expect((await signInAgain(ada.email)).answer.status).toBe(401);
  }, 60_000);

  it('needs the word and the password', async () => {
    const ada = await api.signUp('ada-wavers');
    expect((await remove(ada, { ...good, confirmation: 'yes' })).status).toBe(400);
    for (const wrong of ['not the one', null])
      expect(await remove(ada, { ...good, password: wrong })).toMatchObject({
        status: 400,
        body: { fields: { password: expect.any(String) } },
      });
    expect(await isSignedIn(ada)).toBe(true);
  });

  it('waits for the work that goes on', async () => {
    const ada = await api.signUp('ada-works');
    const { operations } = await plantOneOfEach(api.store.db, ada.userId);
    const replica_id = await runningReplica(api.store.db);
    await api.store.db
      .updateTable('operations')
      .set({ state: 'waiting', title: 'Restart shop', ended_at: null, replica_id })
      .where('id', '=', operations)
      .execute();
    expect(await remove(ada, good)).toMatchObject({
      status: 409,
      body: { code: 'busy', message: expect.stringContaining('“Restart shop”') },
    });
  });

  it('is never the owner’s while other people have accounts, and is the last one’s', async () => {
    await using own = await startTestApi({ signUps: 'open' });
    const owner = await own.signUp('owner');
    const guest = await own.signUp('guest');
    expect(await remove(owner, good)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await remove(guest, good)).status).toBe(200);
    expect((await remove(owner, good)).status).toBe(200);
    expect(await own.store.db.selectFrom('auth.user').select('id').execute()).toEqual([]);
  });
});
