import type { SecurityEvent } from '@homeport/contract/account/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, password, startTestApi, type TestApi, type TestVisitor } from '../http/testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
});
afterAll(() => api?.[Symbol.asyncDispose]());

const signIn = async (visitor: TestVisitor, email: string) =>
  expect((await visitor.call('POST /api/auth/sign-in/email', { email, password })).status).toBe(200);
const signOut = (visitor: TestVisitor) => visitor.call('POST /api/auth/sign-out');
const kindsOf = async (visitor: TestVisitor) =>
  bodyOf<SecurityEvent[]>(await visitor.call('GET /api/security-events'), 200).map(({ kind }) => kind);
const mailsOf = (owner: string) =>
  api.store.db
    .selectFrom('security_mails')
    .select(['kind', 'recipient', 'user_agent'])
    .where('owner_id', '=', owner)
    .execute();

it('the first sign-in of a browser is listed as one of a new browser and mailed, and its later ones are not', async () => {
  const ada = await api.signUp('ada-browser');
  await api.store.db
    .updateTable('auth.user')
    .set({ emailVerified: true })
    .where('id', '=', ada.userId)
    .execute();
  await signOut(ada);
  await signIn(ada, ada.email);
  await expect.poll(() => kindsOf(ada)).toEqual(['signed_in', 'signed_up']);
  expect(await mailsOf(ada.userId)).toEqual([]);

  const elsewhere = api.visitor();
  await signIn(elsewhere, ada.email);
  await expect.poll(() => kindsOf(ada)).toEqual(['new_browser_signed_in', 'signed_in', 'signed_up']);
  const mailed = [{ kind: 'new_browser_signed_in', recipient: ada.email, user_agent: expect.any(String) }];
  expect(await mailsOf(ada.userId)).toEqual(mailed);

  await signOut(elsewhere);
  await signIn(elsewhere, ada.email);
  await expect
    .poll(() => kindsOf(ada))
    .toEqual(['signed_in', 'new_browser_signed_in', 'signed_in', 'signed_up']);
  expect(await mailsOf(ada.userId)).toEqual(mailed);
});

it('a browser that knows another account is new to this one', async () => {
  const [ada, eve] = [await api.signUp('ada-shared'), await api.signUp('eve-shared')];
  await signOut(eve);
  await signIn(eve, ada.email);
  await expect.poll(() => kindsOf(ada)).toEqual(['new_browser_signed_in', 'signed_up']);
});
