import { testDatabase } from '@homeport/store/testing';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { password, startTestApi, type TestApi } from '../http/testing.ts';
import { dropStale } from './drop-stale.ts';
import { endExpiredSessions, watchSessionEnds } from './end-sessions.ts';
import { authOptionsFor } from './testing.ts';

const account = (name: string) => ({ name, email: `${name}@example.com`, password });

it('removes only expired counts and tokens', async () => {
  await using database = await testDatabase();
  const { db } = database.store;
  const now = Date.now();
  for (const [key, at] of [
    ['old', now - 7_200_000],
    ['new', now],
  ] as const) {
    await sql`insert into auth."rateLimit" (key, count, "lastRequest") values (${key}, 1, ${at})`.execute(db);
    await sql`insert into auth.verification (identifier, value, "expiresAt")
      values (${key}, '', ${new Date(at + 60_000)})`.execute(db);
    const attempt = { key: Buffer.from(key), count: 1, refused_until: 0, forgotten_at: at + 60_000 };
    await db.insertInto('attempts').values(attempt).execute();
  }
  await dropStale(database.store, now);
  const left =
    await sql`select key as left from auth."rateLimit" union all select identifier from auth.verification
      union all select convert_from(key, 'UTF8') from attempts`.execute(db);
  expect(left.rows).toEqual([{ left: 'new' }, { left: 'new' }, { left: 'new' }]);
});

it('finds the identity library’s tables complete after the migrations', async () => {
  await using database = await testDatabase();
  const options = authOptionsFor(database.store);
  const { toBeAdded, toBeCreated } = await getMigrations(options);
  expect({ toBeAdded, toBeCreated }).toEqual({ toBeAdded: [], toBeCreated: [] });
});

it('says whether the console has an owner yet', async () => {
  await using api = await startTestApi({ loopback: true, signUps: 'closed' });
  const hasOwner = async () => (await api.visitor().call('GET /api/configuration')).body;
  expect(await hasOwner()).toMatchObject({ hasOwner: false });
  await api.signUp('ada');
  expect(await hasOwner()).toMatchObject({ hasOwner: true });
});

describe('who may sign up', () => {
  it('is everybody while the console listens on a loopback address', async () => {
    await using api = await startTestApi({ loopback: true, signUps: 'closed' });
    await api.signUp('ada');
    await api.signUp('eve');
    expect((await api.visitor().call('GET /api/configuration')).body).toMatchObject({ signUps: 'open' });
  });

  it('is elsewhere the owner alone, even when the first two sign up at once', async () => {
    await using api = await startTestApi({ loopback: false, signUps: 'closed' });
    expect((await api.visitor().call('GET /api/configuration')).body).toMatchObject({ signUps: 'open' });
    const names = ['ada', 'eve', 'mallory', 'trent'];
    const answers = await Promise.all(
      names.map((name) => api.visitor().call('POST /api/auth/sign-up/email', account(name))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    expect(await api.store.db.selectFrom('auth.user').select('id').execute()).toHaveLength(1);
    expect((await api.visitor().call('GET /api/configuration')).body).toMatchObject({ signUps: 'closed' });
  });

  it('is everybody when the operator opened sign-up', async () => {
    await using api = await startTestApi({ loopback: false, signUps: 'open' });
    await api.signUp('ada');
    await api.signUp('eve');
  });
});

describe('an account', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['a name of blanks', { name: '   ' }, 'name'],
    ['a name of 10 kB', { name: 'x'.repeat(10_240) }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['a name with NUL', { name: 'a\u0000b' }, 'name'],
    ['a name that is a list', { name: ['a'] }, 'name'],
    ['no address', { email: '' }, 'email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
    ['an address with a header in it', { email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    ['a short password', { password: '1234567' }, 'password'],
    ['an endless password', { password: 'x'.repeat(129) }, 'password'],
    ['a password that is a number', { password: 12_345_678 }, 'password'],
  ])('is not made with %s, and the field says why', async (_what, change, field) => {
    const answer = await api
      .visitor()
      .call('POST /api/auth/sign-up/email', { ...account('victim'), ...change });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', fields: { [field]: expect.any(String) } },
    });
    expect(
      await api.store.db
        .selectFrom('auth.user')
        .select('id')
        .where('email', '=', 'victim@example.com')
        .execute(),
    ).toEqual([]);
  });

  it('keeps a name with quotes, HTML and emoji unchanged, and takes no picture', async () => {
    const name = `'; drop table x; -- <b onload=1> $(id) 😀`;
    const person = api.visitor();
    const body = { ...account('bobby'), name, image: 'https://evil.test/x.png', emailVerified: true };
    expect((await person.call('POST /api/auth/sign-up/email', body)).status).toBe(200);
    expect((await person.call('GET /api/session')).body).toMatchObject({
      user: { name, avatar: null, emailVerified: false },
    });
  });

  it('is one per address, whatever its case', async () => {
    await api.signUp('once');
    const again = { ...account('once'), email: 'ONCE@example.com' };
    expect(await api.visitor().call('POST /api/auth/sign-up/email', again)).toMatchObject({
      status: 409,
      body: { code: 'conflict', fields: { email: expect.any(String) } },
    });
  });

  it('has a pepper of 32 bytes of its own that never changes, also when it is asked for at once', async () => {
    const [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
    const pepperOf = async (person: typeof ada) =>
      ((await person.call('GET /api/profile')).body as { pepper: string }).pepper;
    const asked = await Promise.all([pepperOf(ada), pepperOf(ada), pepperOf(ada)]);
    expect(new Set(asked).size).toBe(1);
    expect(Buffer.from(asked[0], 'base64')).toHaveLength(32);
    expect(await pepperOf(eve)).not.toBe(asked[0]);
    expect((await ada.call('PATCH /api/profile', { name: ' Ada L. ' })).body).toMatchObject({
      name: 'Ada L.',
      pepper: asked[0],
    });
    expect((await ada.call('GET /api/session')).body).toMatchObject({ user: { name: 'Ada L.' } });
  });

  it('has its cookie out of reach of scripts and other sites', async () => {
    const { headers } = await api.visitor().call('POST /api/auth/sign-up/email', account('cookie'));
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^homeport\.session_token=[^;]+;.*HttpOnly; SameSite=Lax/i),
      expect.stringMatching(/^homeport\.known_browser=[^;]+;.*HttpOnly; SameSite=Strict$/),
    ]);
  });

  it('is not entered with a forged cookie', async () => {
    const eve = api.visitor();
    for (const cookie of [
      'homeport.session_token=abc.def',
      `homeport.session_token=${'x'.repeat(4_000)}`,
      '=;;=',
    ]) {
      expect((await eve.call('GET /api/session', undefined, { cookie })).status).toBe(401);
    }
  });

  it('cannot be reached by the library’s other routes', async () => {
    const ada = await api.signUp('routes');
    for (const key of [
      'GET /api/auth/list-sessions',
      'POST /api/auth/update-user',
      'POST /api/auth/delete-user',
      'POST /api/auth/change-email',
      'GET /api/auth/verify-email?token=x',
      'GET /api/auth/reset-password/x?callbackURL=/',
      'GET /api/auth/error',
    ]) {
      expect([key, (await ada.call(key, key.startsWith('POST') ? {} : undefined)).status]).toEqual([
        key,
        404,
      ]);
    }
  });

  it('is refused from another website', async () => {
    const headers = { origin: 'http://evil.test' };
    expect(await api.visitor().call('POST /api/auth/sign-up/email', account('csrf'), headers)).toMatchObject({
      status: 403,
      body: { code: 'wrong_origin' },
    });
  });

  it('keeps its messages for the owner where no mail server is configured, and shows them at the terminal', async () => {
    await api.signUp('letters');
    const text = expect.stringMatching(/\/verify-email#token=[\w.-]+/);
    await vi.waitFor(() => expect(api.announced).toContainEqual(text), 20_000);
    const [owner] = await api.store.db
      .selectFrom('auth.user')
      .select('email')
      .orderBy('createdAt')
      .limit(1)
      .execute();
    const person = api.visitor();
    await person.call('POST /api/auth/sign-in/email', { email: owner?.email, password });
    const { status, body } = await person.call('GET /api/outbox');
    expect(status).toBe(200);
    expect(body).toContainEqual(expect.objectContaining({ to: 'letters@example.com', text }));
  });
});

describe('guessing', () => {
  it('ends after a dozen tries a minute from one address, whichever accounts are tried', async () => {
    await using api = await startTestApi({}, { trustProxy: false });
    const ada = await api.signUp('ada');
    const tries = [];
    for (let i = 0; i < 13; i += 1) {
      tries.push(
        await api
          .visitor()
          .call('POST /api/auth/sign-in/email', { email: `guess-${i}@example.com`, password }),
      );
    }
    expect(tries.map(({ status }) => status)).toEqual([...Array(12).fill(401), 429]);
    expect(tries[12]).toMatchObject({ body: { code: 'too_many', retryAfterSeconds: expect.any(Number) } });
    // The address is the socket's. A caller's own claim does not count.
    const elsewhere = { 'x-forwarded-for': '192.0.2.9', 'x-homeport-caller-address': '192.0.2.9' };
    const forged = await api
      .visitor()
      .call('POST /api/auth/sign-in/email', { email: ada.email, password }, elsewhere);
    expect(forged.status).toBe(429);
  });
});

describe('one address', () => {
  const ask = async (times: number, key: string, bodyAt: (at: number) => object) => {
    await using api = await startTestApi({ signUps: 'open' }, { trustProxy: false });
    const answers = [];
    for (let at = 0; at < times; at += 1) answers.push((await api.visitor().call(key, bodyAt(at))).status);
    return answers;
  };

  it('makes at most twenty accounts a minute', async () => {
    const answers = await ask(21, 'POST /api/auth/sign-up/email', (at) => ({
      name: 'Ada',
      email: `ada-${at}@example.com`,
      password,
    }));
    expect(answers).toEqual([...Array(20).fill(200), 429]);
  });

  it('asks for at most five messages a minute that reset a password', async () => {
    const answers = await ask(6, 'POST /api/auth/request-password-reset', (at) => ({
      email: `ada-${at}@example.com`,
    }));
    expect(answers).toEqual([...Array(5).fill(200), 429]);
  });
});

describe('the end of a session', () => {
  it('notifies every replica: signed out, revoked or expired', async () => {
    await using api = await startTestApi();
    const ended: string[] = [];
    const stop = await watchSessionEnds(
      api.store,
      (id) => ended.push(id),
      (error) => expect(error).toBeUndefined(),
    );
    const sessionsOf = async (userId: string) =>
      (await api.store.db.selectFrom('auth.session').select('id').where('userId', '=', userId).execute()).map(
        ({ id }) => id,
      );
    const heard = async (ids: string[]) => {
      await expect.poll(() => ended.toSorted()).toEqual(ids.toSorted());
      ended.length = 0;
    };

    const ada = await api.signUp('ada');
    const signedOut = await sessionsOf(ada.userId);
    await ada.call('POST /api/auth/sign-out');
    await heard(signedOut);

    await ada.call('POST /api/auth/sign-in/email', { email: ada.email, password });
    await api.store.db
      .updateTable('auth.session')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .execute();
    const eve = await api.signUp('eve');
    const expired = await sessionsOf(ada.userId);
    await endExpiredSessions(api.store, new Date());
    await heard(expired);
    expect((await eve.call('GET /api/session')).status).toBe(200);

    await eve.call('POST /api/auth/request-password-reset', { email: eve.email });
    const token = await vi.waitFor(() => {
      const found = /reset-password#token=(\S+)/.exec(api.announced.join('\n'))?.[1];
      expect(found).toBeDefined();
      return found;
    }, 20_000);
    const revoked = await sessionsOf(eve.userId);
    await api.visitor().call('POST /api/auth/reset-password', { token, newPassword: 'another long one' });
    await heard(revoked);
    stop();
  });
});

describe('a mail server that cannot be reached', () => {
  it('stops no sign-up, and is reported to a person who asks for a message', async () => {
    await using api = await startTestApi({
      smtp: { url: 'smtp://127.0.0.1:1', from: 'console@example.com' },
    });
    const ada = await api.signUp('ada');
    expect(await ada.call('POST /api/auth/send-verification-email', { email: ada.email })).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: 'The mail server did not take the message.' },
    });
    expect(api.logged.join('\n')).toContain('a message could not be sent');
  });
});
