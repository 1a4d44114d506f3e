/**
 * The identity provider's own routes under `/api/auth/`, called as plain HTTP. What the signed-out alone call stands in `web/src/auth/`,
 * so that the frame does not load it.
 */

/** `secondStep`: the password was right, and a code is asked for next. */
export type AuthResult =
  | { ok: true; secondStep: boolean }
  /** `fields`: what is wrong with a field, by its name. */
  | { ok: false; code: string; message: string; fields?: Record<string, string> };

export async function send(path: string, body: Record<string, unknown>): Promise<AuthResult> {
  return read(post(path, body));
}

export const post = (path: string, body: Record<string, unknown>) =>
  fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });

export async function read(request: Promise<Response>): Promise<AuthResult> {
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

let signingOut = false;

/** True from the click on Logout until the page is left. The frame then does not lead to sign-in with a way back. */
export const isSigningOut = () => signingOut;

export async function signOut() {
  signingOut = true;
  const result = await send('sign-out', {});
  signingOut = result.ok;
  return result;
}

export const sendVerificationEmail = (email: string) =>
  send('send-verification-email', { email, callbackURL: '/verify-email' });
