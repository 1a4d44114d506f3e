import type { Session } from '@homeport/contract/identity/schema';
import { isProblem } from './api-problem.ts';
import { type CallOptions, call } from './call.ts';

/** The session of the signed-in user. null when nobody is signed in. */
export async function readSession(options?: CallOptions): Promise<Session | null> {
  try {
    return await call('GET /api/session', undefined, options);
  } catch (error) {
    if (isProblem(error, 'not_signed_in')) return null;
    throw error;
  }
}
