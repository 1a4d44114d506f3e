import type { Session } from '@homeport/contract/identity/schema';
import { isProblem } from './api-problem.ts';
import { type CallOptions, call } from './call.ts';

/** Who is signed in; null for nobody. */
export async function readSession(options?: CallOptions): Promise<Session | null> {
  try {
    return await call('GET /api/session', undefined, options);
  } catch (error) {
    if (isProblem(error, 'not_signed_in')) return null;
    throw error;
  }
}
