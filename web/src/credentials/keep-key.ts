import { isProblem } from '../data/api-problem.ts';
import { call } from '../data/call.ts';
import type { KeyJobResult } from '../keys/key-jobs.ts';
import { askToPersist, holdKey } from '../keys/keystore/keystore.ts';

/**
 * Stores the public half on the console, then the private half in this browser. This order avoids keeping a
 * key that the console refuses. `known`: the console had the public half already. Throws ApiProblem, or
 * DOMException if the browser stores nothing.
 */
export async function keepKey(owner: string, name: string, made: KeyJobResult): Promise<'added' | 'known'> {
  const outcome = await storePublicHalf(name, made.publicKey);
  await holdPrivateHalf(owner, name, made);
  return outcome;
}

async function storePublicHalf(name: string, publicKey: string): Promise<'added' | 'known'> {
  try {
    await call('POST /api/keys', { body: { name, publicKey } });
    return 'added';
  } catch (error) {
    if (isProblem(error, 'conflict')) return 'known';
    throw error;
  }
}

/** Stores the private half of a key whose public half the console has. */
export async function holdPrivateHalf(owner: string, name: string, made: KeyJobResult): Promise<void> {
  await holdKey(owner, name, made, Date.now());
  // Browsers often say no. A yes only protects against eviction from a full disk.
  void askToPersist();
}
