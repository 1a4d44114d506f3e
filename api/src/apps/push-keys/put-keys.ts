import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import { asProblem } from '../../remote/run-command.ts';
import { inWords } from './plan-list.ts';

/** A keypair that work gave the server: its name in the console, and its fingerprint. */
export const putKeySchema = z.object({ name: z.string(), fingerprint: z.string() });
export type PutKey = z.output<typeof putKeySchema>;

/**
 * A failure behind the first added key names what is on the server now: such a key pushes to every app without a list. A lost connection
 * passes as it is, because the step is then begun anew, and that try names it.
 */
export async function sayingAlso<T>(
  put: readonly PutKey[],
  work: () => Promise<T>,
  has: 'has' | 'may have' = 'has',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const raised = asProblem(error);
    if (!(raised instanceof ProblemError) || raised.code === 'connection_lost' || put.length === 0)
      throw error;
    const text = `The server ${has} the key ${inWords(put.map(({ name }) => name))} now, which may push to its apps without a list.`;
    // An inner failure has said it.
    if (raised.message.endsWith(text)) throw raised;
    throw new ProblemError(raised.code, `${raised.message} ${text}`, raised.details, { cause: error });
  }
}
