import { type AuthResult, post, read, send } from '../data/auth.ts';
import { signWithPasskey } from '../keys/passkey-device.ts';

/** Asks the console what to sign, has the device sign it, and hands the answer over. */
export async function signInWithPasskey(): Promise<AuthResult> {
  const begun = await begin();
  if (!begun.ok) return begun;
  try {
    return await send('sign-in/passkey', await signWithPasskey(begun.options));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'No passkey was used.';
    return { ok: false, code: 'NO_PASSKEY', message };
  }
}

type PasskeyOptions = Parameters<typeof signWithPasskey>[0];

/** What a device has to sign. */
async function begin(): Promise<{ ok: true; options: PasskeyOptions } | (AuthResult & { ok: false })> {
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
