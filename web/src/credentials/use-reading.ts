import { KeyError } from '@homeport/signer/key-error';
import { useEffect, useState } from 'react';
import { runInWorker } from '../keys/run-in-worker.ts';

/** The result of reading the private key in the form. */
export type Reading =
  | { state: 'none' }
  | { state: 'reading' }
  | { state: 'plain'; publicKey: string }
  | { state: 'encrypted' }
  | { state: 'refused'; error: KeyError };

const waitMs = 250;

/** Reads the typed or dropped text in a Worker, without a passphrase. The Worker keeps nothing. */
export function useReading(text: string, publicKey: string): Reading {
  const [reading, setReading] = useState<Reading>({ state: 'none' });
  useEffect(() => {
    if (text.trim() === '') {
      setReading({ state: 'none' });
      return;
    }
    let current = true;
    setReading({ state: 'reading' });
    const timer = setTimeout(async () => {
      const next = await read(text, publicKey);
      if (current) setReading(next);
    }, waitMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, publicKey]);
  return reading;
}

async function read(text: string, publicKey: string): Promise<Reading> {
  try {
    const made = await runInWorker({ job: 'import', text, passphrase: '', publicKey, lock: null });
    return { state: 'plain', publicKey: made.publicKey };
  } catch (error) {
    if (error instanceof KeyError && error.code === 'passphrase_needed') return { state: 'encrypted' };
    return { state: 'refused', error: asKeyError(error) };
  }
}

/** If the Worker does not load, the form shows the error under the field, like a key that cannot be used. */
function asKeyError(error: unknown): KeyError {
  if (error instanceof KeyError) return error;
  return new KeyError('refused', error instanceof Error ? error.message : 'The key could not be read.');
}
