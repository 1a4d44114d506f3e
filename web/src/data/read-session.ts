import type { Session } from '@homeport/contract/identity/schema';
import { isProblem } from './api-problem.ts';
import { call } from './call.ts';

/** Who is signed in; null for nobody. */
export async function readSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    return await call('GET /api/session', undefined, signal ? { signal } : {});
  } catch (error) {
    if (isProblem(error, 'not_signed_in')) return null;
    throw error;
  }
}
