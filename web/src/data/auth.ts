/**
 * Signing in, up and out. These are the identity provider's own routes under `/api/auth/`, called as plain
 * HTTP.
 */

/** `secondStep`: the password was right, and a code is asked for next. */
type AuthResult =
  | { ok: true; secondStep: boolean }
  /** `fields`: what is wrong with a field, by its name. */
  | { ok: false; code: string; message: string; fields?: Record<string, string> };

async function send(path: string, body: Record<string, unknown>): Promise<AuthResult> {
  return read(post(path, body));
}

const post = (path: string, body: Record<string, unknown>) =>
  fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });

async function read(request: Promise<Response>): Promise<AuthResult> {
  const response = await request.catch(() => null);
  if (!response) {
    return { ok: false, code: 'UNREACHABLE', message: 'The console could not be reached. Try again.' };
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) {
    const secondStep = typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer;
    return { ok: true, secondStep };
  }
  const text = (name: string) => {
    const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
    return typeof value === 'string' ? value : null;
  };
  const fallback =
    response.status === 429 ? 'Too many tries. Wait a little, then try again.' : `Status ${response.status}`;
  return {
    ok: false,
    code: text('code') ?? String(response.status),
    message: text('message') ?? fallback,
    fields: fieldsOf(answer),
  };
}

function fieldsOf(answer: unknown): Record<string, string> {
  const fields: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'fields') : null;
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}

export const signIn = (email: string, password: string) => send('sign-in/email', { email, password });

/** Both follow a sign-in whose answer says `secondStep`. */
export const sendAppCode = (code: string) => send('two-factor/verify-totp', { code });
export const sendRecoveryCode = (code: string) => send('two-factor/verify-backup-code', { code });

/** `invitation`: the token of the invitation's link, if there is one. */
export const signUp = (name: string, email: string, password: string, invitation?: string) =>
  send('sign-up/email', { name, email, password, invitation, callbackURL: '/verify-email' });

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

let signingOut = false;

/** True from the click on Logout until the page is left. The frame then does not lead to sign-in with a way back. */
export const isSigningOut = () => signingOut;

export async function signOut() {
  signingOut = true;
  const result = await send('sign-out', {});
  signingOut = result.ok;
  return result;
}

/** Gives the same answer for known and unknown addresses. */
export const requestPasswordReset = (email: string) =>
  send('request-password-reset', { email, redirectTo: '/reset-password' });

/** `keepOtherWays`: leaves API tokens, passkeys, the link to GitHub and destinations of news. */
export const resetPassword = (token: string, newPassword: string, keepOtherWays: boolean) =>
  send('reset-password', { token, newPassword, keepOtherWays });

export const sendVerificationEmail = (email: string) =>
  send('send-verification-email', { email, callbackURL: '/verify-email' });

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
