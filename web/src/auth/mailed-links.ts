import { type AuthResult, post, read, send } from '../data/auth.ts';

/** What the links in messages do. */

/** `keepOtherWays`: leaves API tokens, passkeys, the link to GitHub and destinations of news. */
export const resetPassword = (token: string, newPassword: string, keepOtherWays: boolean) =>
  send('reset-password', { token, newPassword, keepOtherWays });

export const verifyEmail = (token: string) => send('verify-email', { token });

/** `changed`: both addresses have confirmed. Otherwise the new address was mailed its link. */
type EmailChangeResult = { ok: true; changed: boolean } | (AuthResult & { ok: false });

/** Confirms a change of the e-mail address with the token of one of the two links. */
export async function confirmEmailChange(token: string): Promise<EmailChangeResult> {
  const confirmed = post('confirm-email-change', { token });
  const result = await read(confirmed.then((response) => response.clone()));
  if (!result.ok) return result;
  const answer: unknown = await (await confirmed).json();
  return {
    ok: true,
    changed: typeof answer === 'object' && answer !== null && Reflect.get(answer, 'changed') === true,
  };
}
