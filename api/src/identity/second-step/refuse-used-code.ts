import type { Store } from '@homeport/store';
import type { GenericEndpointContext } from 'better-auth';
import { APIError } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { z } from 'zod';
import { sealedSecret, useAppCode } from './use-app-code.ts';

/**
 * The library takes a code as often as it is typed within its time. So the session of a right code is made only if the code was not
 * accepted before. The library reads the real clock.
 */
export async function refuseUsedCode(
  { db }: Pick<Store, 'db'>,
  userId: string,
  { body, context }: Pick<GenericEndpointContext, 'body' | 'context'>,
): Promise<void> {
  const { code } = z.object({ code: z.string() }).parse(body);
  const sealed = await sealedSecret(db, userId);
  if (sealed === null) throw wrongCode();
  const secret = await symmetricDecrypt({ key: context.secretConfig, data: sealed });
  if (!(await useAppCode(db, { userId, secret, code, now: Date.now() }))) throw wrongCode();
}

/** In the library's words for a wrong code. */
const wrongCode = () => new APIError('BAD_REQUEST', { message: 'Invalid code' });
