import { nameProblem } from '@homeport/contract/fields/facts';
import { KeyError } from '@homeport/signer/key-error';
import { fieldProblem } from '../data/problem-text.ts';
import { type LockRequest, lockProblem } from './lock-request.ts';
import { type PublicPart, readPublicPart } from './read-public-part.ts';
import type { Reading } from './use-reading.ts';

/** The state of the form for a pasted keypair. */
export type PasteKeyState = {
  name: string;
  publicText: string;
  privateText: string;
  passphrase: string;
  lock: LockRequest;
  /** The number of refused submits. After the first refusal the fields name what is missing. */
  refusals: number;
  sending: boolean;
  /** Why the last submit failed. null without a failure, or after a change of the fields at fault. */
  failure: unknown;
};

export type PasteKeyEvent =
  | { kind: 'named'; name: string }
  | { kind: 'public key typed'; text: string }
  | { kind: 'private key typed'; text: string }
  | { kind: 'passphrase typed'; text: string }
  | { kind: 'lock chosen'; lock: LockRequest }
  /** A file holds a public or a private key. The public key of a stored keypair is never replaced. */
  | { kind: 'file read'; text: string; keepsPublicKey: boolean }
  | { kind: 'public key derived'; line: string }
  | { kind: 'refused' }
  | { kind: 'sent' }
  | { kind: 'kept' }
  | { kind: 'failed'; failure: unknown }
  | { kind: 'ended' };

export function emptyPasteKey(target: { name: string; publicKey: string } | null): PasteKeyState {
  return {
    name: target?.name ?? '',
    publicText: target?.publicKey ?? '',
    privateText: '',
    passphrase: '',
    lock: { kind: 'none' },
    refusals: 0,
    sending: false,
    failure: null,
  };
}

export function reducePasteKey(state: PasteKeyState, event: PasteKeyEvent): PasteKeyState {
  switch (event.kind) {
    case 'named':
      return { ...state, name: event.name };
    case 'public key typed':
      return { ...state, publicText: event.text };
    case 'private key typed':
      return { ...state, privateText: event.text, failure: null };
    case 'passphrase typed':
      return { ...state, passphrase: event.text, failure: null };
    case 'lock chosen':
      return { ...state, lock: event.lock };
    case 'file read': {
      const isPublic = readPublicPart(event.text).state === 'valid' && !event.keepsPublicKey;
      const read = isPublic ? { publicText: event.text.trim() } : { privateText: event.text };
      return { ...state, ...read, failure: null };
    }
    case 'public key derived':
      return state.publicText.trim() === '' ? { ...state, publicText: event.line } : state;
    case 'refused':
      return { ...state, failure: null, refusals: state.refusals + 1 };
    case 'sent':
      return { ...state, failure: null, sending: true };
    case 'kept':
      return { ...state, privateText: '', passphrase: '' };
    case 'failed':
      return { ...state, failure: event.failure, refusals: state.refusals + 1, sending: false };
    case 'ended':
      return { ...state, sending: false };
  }
}

/** The faults of the fields, and whether the form can be sent. */
export type PasteKeyJudgement = {
  asksPassphrase: boolean;
  nameError: string | null;
  privateError: { message: string; hint: string | undefined } | null;
  passphraseError: string | null;
  /** A failure that belongs to no field. */
  otherFailure: unknown;
  canBeSent: boolean;
};

const accepted =
  'Needs a block that starts with BEGIN OPENSSH, RSA, EC or plain PRIVATE KEY, or a PuTTY file (.ppk).';

export function judgePasteKey(
  state: PasteKeyState,
  publicPart: PublicPart,
  reading: Reading,
): PasteKeyJudgement {
  const { name, privateText, passphrase, lock, failure } = state;
  const checked = state.refusals > 0;
  const keyFailure = failure instanceof KeyError ? failure : null;
  const asksPassphrase = reading.state === 'encrypted' || keyFailure?.code === 'passphrase_wrong';
  const hasPrivateKey = privateText.trim() !== '';
  const lacksPassphrase = asksPassphrase && passphrase === '';
  return {
    asksPassphrase,
    nameError: (checked ? nameProblem(name) : null) ?? fieldProblem(failure, 'name') ?? null,
    privateError: privateKeyError(reading, keyFailure, checked && !hasPrivateKey),
    passphraseError:
      keyFailure?.code === 'passphrase_wrong'
        ? keyFailure.message
        : checked && lacksPassphrase
          ? 'Enter the passphrase of this key.'
          : null,
    otherFailure: keyFailure ? null : failure,
    canBeSent:
      nameProblem(name) === null &&
      publicPart.state !== 'invalid' &&
      hasPrivateKey &&
      reading.state !== 'refused' &&
      !lacksPassphrase &&
      lockProblem(lock) === null,
  };
}

function privateKeyError(
  reading: Reading,
  failure: KeyError | null,
  missing: boolean,
): PasteKeyJudgement['privateError'] {
  const ofKey =
    reading.state === 'refused'
      ? reading.error
      : failure && !failure.code.startsWith('passphrase_')
        ? failure
        : null;
  if (ofKey) return { message: ofKey.message, hint: ofKey.hint ?? accepted };
  return missing ? { message: 'Enter the private key, or drop its file here.', hint: undefined } : null;
}
