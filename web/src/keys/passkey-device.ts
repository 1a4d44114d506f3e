import { consoleName } from '@homeport/contract/identity/facts';
import type { CreationOptions } from '@homeport/contract/passkeys/schema';
import { fromBase64url, toBase64url } from '@homeport/signer/bytes';

/** The parts of a device's answer that the console checks, as base64url. */
export type Assertion = { id: string; clientDataJSON: string; authenticatorData: string; signature: string };
export type Attestation = { id: string; clientDataJSON: string; attestationObject: string };

/** Why a device gave no answer, in a sentence. */
export class NoPasskey extends Error {}

const unsupported = 'This browser has no passkeys.';

/** Has a device sign with one of the passkeys that it holds for this console. @throws NoPasskey */
export async function signWithPasskey({
  challenge,
  rpId,
  timeoutMs,
}: {
  challenge: string;
  rpId: string;
  timeoutMs: number;
}): Promise<Assertion> {
  const credential = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: fromBase64url(challenge),
        rpId,
        timeout: timeoutMs,
        userVerification: 'required',
      },
    }),
  );
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new NoPasskey(unsupported);
  return {
    id: credential.id,
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
  };
}

/** Has a device make a passkey that it finds again without a name. @throws NoPasskey */
export async function makePasskey(options: CreationOptions): Promise<Attestation> {
  const { challenge, rpId, timeoutMs, user, algorithms, present } = options;
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: fromBase64url(challenge),
        rp: { id: rpId, name: consoleName },
        user: { ...user, id: fromBase64url(user.id) },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: present.map((id) => ({ type: 'public-key', id: fromBase64url(id) })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
        timeout: timeoutMs,
      },
    }),
  );
  const { response } = credential;
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new NoPasskey(unsupported);
  return {
    id: credential.id,
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
  };
}

async function ask(how: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!('PublicKeyCredential' in window) || !isSecureContext) throw new NoPasskey(unsupported);
  const credential = await how().catch((error: unknown) => {
    throw new NoPasskey(inWords(error));
  });
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey(unsupported);
  return credential;
}

/** Browsers give one error for a person's "no" and for a wait that ended, so that nobody learns which passkeys exist. */
function inWords(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey of this account already.';
  if (name === 'SecurityError')
    return 'Browsers use passkeys at an address with a name only, over HTTPS. Open the console there.';
  return 'No passkey was used: the question was closed, or took too long.';
}

const text = (bytes: ArrayBuffer): string => toBase64url(new Uint8Array(bytes));
