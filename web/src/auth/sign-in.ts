import { type AuthResult, post, read, send } from '../data/auth.ts';

/** The ways in. */

export const signIn = (email: string, password: string) => send('sign-in/email', { email, password });

/** Both follow a sign-in whose answer says `secondStep`. */
export const sendAppCode = (code: string) => send('two-factor/verify-totp', { code });
export const sendRecoveryCode = (code: string) => send('two-factor/verify-backup-code', { code });

/** The address at GitHub where the person agrees. */
export async function beginGithubSignIn(): Promise<{ ok: true; url: string } | (AuthResult & { ok: false })> {
  const begun = post('sign-in/github/begin', {});
  const result = await read(begun.then((response) => response.clone()));
  if (!result.ok) return result;
  const answer: unknown = await (await begun).json();
  const url = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'url') : undefined;
  return { ok: true, url: typeof url === 'string' ? url : '/login' };
}

/** Finishes the sign-in of a person who agreed at GitHub. */
export const finishGithubSignIn = (code: string, state: string, invitation?: string) =>
  send('sign-in/github', { code, state, invitation });

type PasskeyOptions = { challenge: string; rpId: string; timeoutMs: number };

/** What a device has to sign. */
export async function beginPasskeySignIn(): Promise<
  { ok: true; options: PasskeyOptions } | (AuthResult & { ok: false })
> {
  const begun = post('sign-in/passkey/begin', {});
  const result = await read(begun.then((response) => response.clone()));
  if (!result.ok) return result;
  const answer: unknown = await (await begun).json();
  const part = (name: string): unknown =>
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  return {
    ok: true,
    options: {
      challenge: String(part('challenge')),
      rpId: String(part('rpId')),
      timeoutMs: Number(part('timeoutMs')),
    },
  };
}

/** Finishes the sign-in with what the device signed. */
export const finishPasskeySignIn = (signed: Record<string, string>) => send('sign-in/passkey', signed);

/** Gives the same answer for known and unknown addresses. */
export const requestPasswordReset = (email: string) =>
  send('request-password-reset', { email, redirectTo: '/reset-password' });
