import type { Key } from '@homeport/contract/credentials/schema';
import { type Dispatch, useEffect, useReducer } from 'react';
import { useSession } from '../data/session.ts';
import { keyFileBytes } from '../keys/key-file-limit.ts';
import { runInWorker } from '../keys/run-in-worker.ts';
import { holdPrivateHalf, keepKey } from './keep-key.ts';
import { lockChoice } from './lock-request.ts';
import {
  emptyPasteKey,
  judgePasteKey,
  type PasteKeyEvent,
  type PasteKeyJudgement,
  type PasteKeyState,
  reducePasteKey,
} from './paste-key-form.ts';
import { type PublicPart, readPublicPart } from './read-public-part.ts';
import { type Reading, useReading } from './use-reading.ts';

export interface PasteKey {
  state: PasteKeyState;
  dispatch: Dispatch<PasteKeyEvent>;
  publicPart: PublicPart;
  reading: Reading;
  judgement: PasteKeyJudgement;
  /** Reads a chosen or dropped file into the matching field. */
  take: (file: File | undefined) => Promise<void>;
  submit: () => Promise<void>;
}

/** Reads a keypair while the user types, and stores it in this browser and on the console. */
export function usePasteKey(
  target: Key | null,
  onKept: (outcome: 'added' | 'known') => Promise<void>,
): PasteKey {
  const { user } = useSession();
  const [state, dispatch] = useReducer(reducePasteKey, target, emptyPasteKey);
  const publicPart = readPublicPart(state.publicText);
  const publicKey = publicPart.state === 'valid' ? publicPart.line : '';
  const reading = useReading(state.privateText, publicKey);
  const judgement = judgePasteKey(state, publicPart, reading);

  // A private key without encryption contains its public half.
  const derived = reading.state === 'plain' ? reading.publicKey : null;
  useEffect(() => {
    if (derived !== null) dispatch({ kind: 'public key derived', line: derived });
  }, [derived]);

  const keep = async () => {
    const { privateText: text, passphrase } = state;
    const lock = await lockChoice(state.lock, { id: user.id, name: user.email });
    const made = await runInWorker({ job: 'import', text, passphrase, publicKey, lock });
    const name = state.name.trim();
    if (!target) return keepKey(user.id, name, made);
    await holdPrivateHalf(user.id, name, made);
    return 'known';
  };
  return {
    state,
    dispatch,
    publicPart,
    reading,
    judgement,
    async take(file) {
      if (!file) return;
      // A file that is too long is cut. Reading the cut text as a key then fails.
      const text = await file.slice(0, keyFileBytes + 1).text();
      dispatch({ kind: 'file read', text, keepsPublicKey: target !== null });
    },
    async submit() {
      if (!judgement.canBeSent) return dispatch({ kind: 'refused' });
      dispatch({ kind: 'sent' });
      try {
        const outcome = await keep();
        dispatch({ kind: 'kept' });
        await onKept(outcome);
        dispatch({ kind: 'ended' });
      } catch (failure) {
        dispatch({ kind: 'failed', failure });
      }
    },
  };
}
