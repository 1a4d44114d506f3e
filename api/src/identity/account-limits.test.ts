import { randomBytes } from 'node:crypto';
import { testDatabase } from '@homeport/store/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { password, startTestApi, type TestApi, type TestVisitor } from '../http/testing.ts';
import { attemptRules, rememberedMs, waitsMs } from './waiting/attempts.ts';

const { free, withinMs } = attemptRules['sign-in'];
const addresses = 40;
const signInKey = 'POST /api/auth/sign-in/email';
const resetKey = 'POST /api/auth/request-password-reset';

/** Each call comes from another address, so that the limit per address stops none of them. */
let calls = 0;
const fromElsewhere = () => {
  calls += 1;
  return { 'x-forwarded-for': `198.18.${calls >> 8}.${calls & 255}` };
};
const signIn = (visitor: TestVisitor, email: string, tried = 'not the one') =>
  visitor.call(signInKey, { email, password: tried }, fromElsewhere());
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
const refused = (retryAfterSeconds: number) => ({
  status: 429,
  body: { code: 'too_many', retryAfterSeconds },
});

const open: TestApi[] = [];
async function start(...given: Parameters<typeof startTestApi>) {
  const api = await startTestApi(...given);
  open.push(api);
  return api;
}
async function startWithClock() {
  const clock = { now: Date.now() };
  return { clock, api: await start({}, { clock: () => clock.now }) };
}
/** Wrong passwords at the same moment, each from an address and a browser of its own. */
const guess = (api: TestApi, email: string, times = addresses) =>
  Promise.all(Array.from({ length: times }, () => signIn(api.visitor(), email)));
afterEach(async () => {
  for (const api of open.splice(0)) await api[Symbol.asyncDispose]();
});

describe('guessing the password of one account from many addresses', () => {
  it('gets exactly the free tries, and then even the right password is refused', async () => {
    const api = await start();
    const ada = await api.signUp('ada');
    const answers = await guess(api, ada.email);
    expect(statuses(answers)).toEqual([...Array(free).fill(401), ...Array(addresses - free).fill(429)]);
    const right = await signIn(api.visitor(), ada.email, password);
    expect(right).toMatchObject({ status: 429, body: { code: 'too_many' } });
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(right.headers.getSetCookie()).toEqual([]);
  });

  it('does not lock out the browser that signed in before, nor anybody else', async () => {
    const api = await start();
    const [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
    await ada.call('POST /api/auth/sign-out');
    await guess(api, ada.email);
    expect((await signIn(ada, ada.email)).status).toBe(401);
    expect((await signIn(ada, ada.email, password)).status).toBe(200);
    expect((await signIn(api.visitor(), eve.email, password)).status).toBe(200);
    // The cookie of one account does not help with another.
    expect((await signIn(eve, ada.email, password)).status).toBe(429);
    // The owner's sign-in gives strangers no new tries.
    expect((await signIn(api.visitor(), ada.email)).status).toBe(429);
  });

  it('is limited in a known browser as well', async () => {
    const api = await start();
    const ada = await api.signUp('ada');
    const answers = await Promise.all(Array.from({ length: addresses }, () => signIn(ada, ada.email)));
    expect(statuses(answers)).toEqual([...Array(free).fill(401), ...Array(addresses - free).fill(429)]);
    expect((await signIn(api.visitor(), ada.email, password)).status).toBe(200);
  });

  it('is answered alike for an account that does not exist', async () => {
    const { api } = await startWithClock();
    const ada = await api.signUp('ada');
    const told = async (email: string) => {
      const answers = await guess(api, email, free);
      return [...answers, await signIn(api.visitor(), email)].map(({ status, body, headers }) => ({
        status,
        body,
        headers: [...headers.keys()].filter((name) => !name.startsWith('x-ratelimit')),
      }));
    };
    expect(await told('nobody@example.com')).toEqual(await told(ada.email));
  });

  it('counts an address that is written in capitals as the same account', async () => {
    const api = await start();
    const ada = await api.signUp('ada');
    await guess(api, ada.email, free - 1);
    expect((await signIn(api.visitor(), ada.email.toUpperCase())).status).toBe(401);
    expect((await signIn(api.visitor(), ada.email)).status).toBe(429);
  });

  it('is counted once over two replicas', async () => {
    await using database = await testDatabase();
    const shared = { secret: randomBytes(32).toString('base64'), sole: false };
    const one = await start(shared, { store: database.store });
    const other = await start(shared, { store: database.store });
    const ada = await one.signUp('ada');
    const answers = await Promise.all([guess(one, ada.email, 20), guess(other, ada.email, 20)]);
    expect(statuses(answers.flat())).toEqual([...Array(free).fill(401), ...Array(40 - free).fill(429)]);
    for (const api of open.splice(0)) await api[Symbol.asyncDispose]();
  });

  it('is no longer counted after a quarter of an hour without a try', async () => {
    const { api, clock } = await startWithClock();
    const ada = await api.signUp('ada');
    await guess(api, ada.email, free - 1);
    clock.now += withinMs;
    expect(statuses(await guess(api, ada.email, free + 1))).toEqual([...Array(free).fill(401), 429]);
  });

  it('starts anew for the browser that signs in', async () => {
    const api = await start();
    const ada = await api.signUp('ada');
    await guess(api, ada.email, free - 1);
    expect((await signIn(api.visitor(), ada.email, password)).status).toBe(200);
    expect(statuses(await guess(api, ada.email, free))).toEqual(Array(free).fill(401));
  });
});

describe('the wait', () => {
  it('doubles with each further try up to an hour, is not prolonged by refused ones, and ends', async () => {
    const { api, clock } = await startWithClock();
    const ada = await api.signUp('ada');
    await guess(api, ada.email, free);
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * 60_000)) {
      expect(await signIn(api.visitor(), ada.email, password)).toMatchObject(refused(wait / 1000));
      clock.now += wait - 1_000;
      expect(await signIn(api.visitor(), ada.email, password)).toMatchObject(refused(1));
      clock.now += 1_000;
      // Of many tries at the end of the wait, one is let in.
      expect(statuses(await guess(api, ada.email, 3))).toEqual([401, 429, 429]);
    }
    clock.now += waitsMs.longest;
    expect((await signIn(api.visitor(), ada.email, password)).status).toBe(200);
  });

  it('is forgotten after a day without a try', async () => {
    const { api, clock } = await startWithClock();
    const ada = await api.signUp('ada');
    await guess(api, ada.email, free);
    clock.now += rememberedMs;
    expect(statuses(await guess(api, ada.email, free))).toEqual(Array(free).fill(401));
  });

  it('is named with its length in the message', async () => {
    const { api } = await startWithClock();
    await guess(api, 'nobody@example.com', free);
    expect(await signIn(api.visitor(), 'nobody@example.com')).toMatchObject({
      body: { message: 'Too many tries. Try again in 60 seconds.' },
    });
  });
});

describe('messages that set a new password', () => {
  const most = attemptRules['password-reset'].free;
  const ask = (visitor: TestVisitor, email: string) => visitor.call(resetKey, { email }, fromElsewhere());
  const askOften = (api: TestApi, email: string) =>
    Promise.all(Array.from({ length: addresses }, () => ask(api.visitor(), email)));
  const exactly = [...Array(most).fill(200), ...Array(addresses - most).fill(429)];

  it('are limited per account, from however many addresses', async () => {
    const api = await start();
    const [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
    const sent = () => api.announced.filter((text) => text.includes('/reset-password#token=')).length;
    expect(statuses(await askOften(api, ada.email))).toEqual(exactly);
    expect(statuses(await askOften(api, 'nobody@example.com'))).toEqual(exactly);
    await vi.waitFor(() => expect(sent()).toBe(most), 20_000);
    expect((await ask(ada, ada.email)).status).toBe(200);
    expect((await ask(api.visitor(), eve.email)).status).toBe(200);
    await vi.waitFor(() => expect(sent()).toBe(most + 2), 20_000);
  });

  it('let the owner in during an attack, because a new password by such a message makes the browser known', async () => {
    const api = await start();
    const ada = await api.signUp('ada');
    await guess(api, ada.email);
    await askOften(api, ada.email);
    const token = await vi.waitFor(() => {
      const found = /reset-password#token=(\S+)/.exec(api.announced.join('\n'))?.[1];
      expect(found).toBeDefined();
      return found;
    }, 20_000);
    const newcomer = api.visitor();
    const change = { token, newPassword: 'another long password' };
    const forged = { ...change, token: `${token}x` };
    expect((await newcomer.call('POST /api/auth/reset-password', forged, fromElsewhere())).status).toBe(400);
    expect(newcomer.cookie()).toBe('');
    expect((await newcomer.call('POST /api/auth/reset-password', change, fromElsewhere())).status).toBe(200);
    // The stranger goes on and uses the count of unknown browsers up again.
    expect(statuses(await guess(api, ada.email))).toContain(429);
    expect((await signIn(newcomer, ada.email, change.newPassword)).status).toBe(200);
  });
});

describe('messages that verify an address', () => {
  const most = attemptRules.verification.free;
  const ask = (visitor: TestVisitor, email: string) =>
    visitor.call('POST /api/auth/send-verification-email', { email }, fromElsewhere());

  it('are limited per account, from however many addresses', async () => {
    const api = await start();
    const [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
    const sent = () => api.announced.filter((text) => text.includes('/verify-email#token=')).length;
    await vi.waitFor(() => expect(sent()).toBe(2), 20_000);
    const answers = await Promise.all(Array.from({ length: addresses }, () => ask(api.visitor(), ada.email)));
    expect(statuses(answers)).toEqual([...Array(most).fill(200), ...Array(addresses - most).fill(429)]);
    await vi.waitFor(() => expect(sent()).toBe(2 + most), 20_000);
    expect((await ask(ada, ada.email)).status).toBe(200);
    expect((await ask(api.visitor(), eve.email)).status).toBe(200);
  });
});
