import { consoleName } from '@homeport/contract/identity/facts';
import { type Bytes, utf8 } from '@homeport/signer/bytes';
import { KeyError } from '@homeport/signer/key-error';
import type { LockSecret } from './lock-key.ts';

/** The input of the PRF. Each lock mixes in its own salt afterwards, so one answer serves all keys. */
const prfInput = utf8('homeport key lock 1');

type PasskeySecret = Extract<LockSecret, { kind: 'passkey' }>;

/**
 * Makes a passkey for locking keys and asks it once. Throws KeyError `refused` if the device cannot do this.
 */
export async function createPasskey(account: { id: string; name: string }): Promise<PasskeySecret> {
  const options: PublicKeyCredentialCreationOptions = {
    challenge: crypto.getRandomValues(new Uint8Array(32)),
    rp: { name: consoleName },
    user: { id: utf8(account.id), name: account.name, displayName: account.name },
    pubKeyCredParams: [
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    extensions: { prf: { eval: { first: prfInput } } },
  };
  const made = await navigator.credentials.create({ publicKey: options }).catch(cancelled);
  if (!(made instanceof PublicKeyCredential)) throw cannot();
  const prf = made.getClientExtensionResults().prf;
  const credentialId: Bytes = new Uint8Array(made.rawId);
  if (prf?.results) return { kind: 'passkey', credentialId, prf: bytesOf(prf.results.first) };
  if (!prf?.enabled) throw cannot();
  return askPasskey(credentialId);
}

/** Asks the passkey of a locked key for its secret. Throws KeyError `refused`. */
export async function askPasskey(credentialId: Bytes): Promise<PasskeySecret> {
  const options: PublicKeyCredentialRequestOptions = {
    challenge: crypto.getRandomValues(new Uint8Array(32)),
    allowCredentials: [{ type: 'public-key', id: credentialId }],
    userVerification: 'required',
    extensions: { prf: { eval: { first: prfInput } } },
  };
  const answer = await navigator.credentials.get({ publicKey: options }).catch(cancelled);
  const results = answer instanceof PublicKeyCredential && answer.getClientExtensionResults().prf?.results;
  if (!results) throw cannot();
  return { kind: 'passkey', credentialId, prf: bytesOf(results.first) };
}

function bytesOf(source: BufferSource): Bytes {
  return source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
}

/** Browsers report a refusal by the user and an unusable address (such as an IP) with these errors. */
function cancelled(error: unknown): never {
  const unusable = error instanceof Error && error.name === 'SecurityError';
  throw new KeyError(
    'refused',
    unusable
      ? 'Passkeys need the console at a name or localhost, not at an IP address.'
      : 'The passkey was not given.',
    'Lock the key with a passphrase instead.',
  );
}

function cannot(): KeyError {
  return new KeyError(
    'refused',
    'This passkey cannot lock keys (no PRF extension).',
    'Lock the key with a passphrase instead.',
  );
}
