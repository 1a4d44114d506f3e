import type { assertionSchema, attestationSchema } from '@homeport/contract/passkeys/schema';
import type { z } from 'zod';

/**
 * The library reads X.509 and CBOR with ten packages, which are a tenth of the console’s program. A console reads them when its first
 * passkey comes.
 */
const loadWebauthn = () => import('@simplewebauthn/server');

/** The console as a relying party of WebAuthn: its own address decides both, never a header of a request. */
export type RelyingParty = { origin: string; id: string };

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { origin, hostname } = new URL(publicUrl);
  return { origin, id: hostname };
}

/** COSE identifiers (IANA): EdDSA, ES256, RS256. Every device has one of them. */
export const passkeyAlgorithms = [-8, -7, -257];

export type MadePasskey = {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  isBackedUp: boolean;
};

/**
 * The passkey that a device made, if its answer is for this console and this challenge, and the person proved to the
 * device who they are (PIN, finger, face). Null for any other answer.
 */
export async function readMade(
  made: z.output<typeof attestationSchema>,
  takes: (challenge: string) => Promise<boolean>,
  party: RelyingParty,
): Promise<MadePasskey | null> {
  const { id, clientDataJSON, attestationObject } = made;
  const { verifyRegistrationResponse } = await loadWebauthn();
  const verified = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: takes,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: passkeyAlgorithms,
  }).catch(refusal);
  if (!verified?.verified) return null;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    isBackedUp: credentialBackedUp,
  };
}

/**
 * The new count of uses, if the passkey signed this challenge for this console and the person proved to the device who
 * they are. Null for any other answer, and for a count that does not grow: then somebody copied the passkey.
 */
export async function readUse(
  used: z.output<typeof assertionSchema>,
  passkey: { credential_id: string; public_key: Buffer; counter: number },
  takes: (challenge: string) => Promise<boolean>,
  party: RelyingParty,
): Promise<number | null> {
  const { id, clientDataJSON, authenticatorData, signature } = used;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: takes,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(refusal);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/**
 * The library throws for every answer that it refuses, with errors of many kinds: CBOR, base64, keys. What the store
 * throws for `takes` passes through.
 */
function refusal(error: unknown): null {
  if (error instanceof Error && 'code' in error && 'severity' in error) throw error;
  return null;
}
