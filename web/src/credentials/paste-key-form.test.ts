import { KeyError } from '@homeport/signer/key-error';
import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../data/api-problem.ts';
import { passphraseWrong } from '../keys/key-refusals.ts';
import {
  emptyPasteKey,
  judgePasteKey,
  type PasteKeyEvent,
  type PasteKeyState,
  reducePasteKey,
} from './paste-key-form.ts';
import { readPublicPart } from './read-public-part.ts';
import type { Reading } from './use-reading.ts';

const line = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)} laptop`;
const after = (events: readonly PasteKeyEvent[], from = emptyPasteKey(null)) =>
  events.reduce(reducePasteKey, from);
const judge = (state: PasteKeyState, reading: Reading = { state: 'none' }) =>
  judgePasteKey(state, readPublicPart(state.publicText), reading);
const typed = after([
  { kind: 'named', name: 'laptop' },
  { kind: 'private key typed', text: 'BEGIN' },
]);
const plain: Reading = { state: 'plain', publicKey: line };

describe('the form of a pasted keypair', () => {
  it('starts with the name and the public key of a stored keypair', () => {
    expect(emptyPasteKey({ name: 'laptop', publicKey: line })).toMatchObject({
      name: 'laptop',
      publicText: line,
      privateText: '',
    });
  });

  it('puts a file into the field that it belongs to', () => {
    const read = (text: string, keepsPublicKey: boolean) =>
      after([{ kind: 'file read', text, keepsPublicKey }]);
    expect(read(`${line}\n`, false)).toMatchObject({ publicText: line, privateText: '' });
    expect(read('BEGIN OPENSSH', false)).toMatchObject({ publicText: '', privateText: 'BEGIN OPENSSH' });
    expect(read(line, true)).toMatchObject({ publicText: '', privateText: line });
  });

  it('fills an empty public key from the private one, and overwrites none', () => {
    expect(after([{ kind: 'public key derived', line }]).publicText).toBe(line);
    const own = after([
      { kind: 'public key typed', text: 'mine' },
      { kind: 'public key derived', line },
    ]);
    expect(own.publicText).toBe('mine');
  });

  it('forgets a failure once the private key, the passphrase or the file changes', () => {
    const failed = after([{ kind: 'failed', failure: passphraseWrong() }], typed);
    expect(after([{ kind: 'private key typed', text: 'x' }], failed).failure).toBeNull();
    expect(after([{ kind: 'passphrase typed', text: 'x' }], failed).failure).toBeNull();
    expect(after([{ kind: 'file read', text: 'x', keepsPublicKey: false }], failed).failure).toBeNull();
    expect(after([{ kind: 'named', name: 'desk' }], failed).failure).not.toBeNull();
  });

  it('is busy from the sending to its end, and counts each refusal', () => {
    const sent = after([{ kind: 'refused' }, { kind: 'sent' }], typed);
    expect(sent).toMatchObject({ sending: true, refusals: 1 });
    expect(after([{ kind: 'failed', failure: new Error('gone') }], sent)).toMatchObject({
      sending: false,
      refusals: 2,
    });
    expect(after([{ kind: 'kept' }, { kind: 'ended' }], sent)).toMatchObject({ sending: false, refusals: 1 });
  });

  it('forgets the secrets once the key is kept', () => {
    const state = after([{ kind: 'passphrase typed', text: 'secret' }, { kind: 'kept' }], typed);
    expect(state).toMatchObject({ name: 'laptop', privateText: '', passphrase: '' });
  });
});

describe('the judgement on a pasted keypair', () => {
  it('lets a form with a name and a private key be sent', () => {
    expect(judge(typed, plain)).toMatchObject({ canBeSent: true, nameError: null, privateError: null });
  });

  it('names missing fields only after the form was refused', () => {
    const empty = emptyPasteKey(null);
    expect(judge(empty)).toMatchObject({ canBeSent: false, nameError: null, privateError: null });
    expect(judge(after([{ kind: 'refused' }]))).toMatchObject({
      nameError: 'Enter a name.',
      privateError: { message: 'Enter the private key, or drop its file here.', hint: undefined },
    });
  });

  it('refuses an invalid public key, an unusable private key and a short passphrase of the lock', () => {
    const badLine = after([{ kind: 'public key typed', text: 'no key' }], typed);
    expect(judge(badLine, plain).canBeSent).toBe(false);
    const error = new KeyError('refused', 'DSA keys are too weak.');
    expect(judge(typed, { state: 'refused', error }).canBeSent).toBe(false);
    const shortLock = after([{ kind: 'lock chosen', lock: { kind: 'passphrase', passphrase: 'x' } }], typed);
    expect(judge(shortLock, plain).canBeSent).toBe(false);
  });

  it('asks for the passphrase of an encrypted key', () => {
    const encrypted: Reading = { state: 'encrypted' };
    expect(judge(typed, encrypted)).toMatchObject({
      asksPassphrase: true,
      canBeSent: false,
      passphraseError: null,
    });
    expect(judge(after([{ kind: 'refused' }], typed), encrypted).passphraseError).toBe(
      'Enter the passphrase of this key.',
    );
    const opened = after([{ kind: 'passphrase typed', text: 'secret' }], typed);
    expect(judge(opened, encrypted).canBeSent).toBe(true);
  });

  it('shows a wrong passphrase under the passphrase, and another failure of the key under the key', () => {
    const wrong = after([{ kind: 'failed', failure: passphraseWrong() }], typed);
    expect(judge(wrong, plain)).toMatchObject({
      asksPassphrase: true,
      privateError: null,
      passphraseError: 'The passphrase does not open this key.',
      otherFailure: null,
    });
    const mismatch = new KeyError('mismatch', 'Not of one pair.', 'Look again.');
    expect(judge(after([{ kind: 'failed', failure: mismatch }], typed), plain)).toMatchObject({
      privateError: { message: 'Not of one pair.', hint: 'Look again.' },
      passphraseError: null,
      otherFailure: null,
    });
  });

  it('names the accepted formats when a refused key has no hint of its own', () => {
    const error = new KeyError('refused', 'This is no key.');
    expect(judge(typed, { state: 'refused', error }).privateError?.hint).toMatch(/^Needs a block/);
  });

  it('shows a refusal of the console under its field or beside the form', () => {
    const fields = { name: 'Taken.' };
    const failure = new ApiProblem({ code: 'invalid_input', message: 'No.', recovery: 'Look.', fields });
    const refused = after([{ kind: 'failed', failure }], typed);
    expect(judge(refused, plain)).toMatchObject({ nameError: 'Taken.', otherFailure: failure });
  });
});
