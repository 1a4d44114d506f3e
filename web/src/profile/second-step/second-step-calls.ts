import { z } from 'zod';
import { problemOf, unreachable } from '../../data/api-problem.ts';

/** These are the identity provider's own routes, which make or replace the session's cookie. */
async function send<T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(`/api/auth/two-factor/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!response) throw unreachable();
  if (!response.ok) throw await problemOf(response);
  return schema.parse(await response.json());
}

const codesSchema = z.object({ backupCodes: z.array(z.string()) });
const begunSchema = codesSchema.extend({ totpURI: z.string() });
export type BegunSecondStep = z.output<typeof begunSchema>;

/** Makes a secret and recovery codes. Nothing is asked for until a first code is right. */
export const beginSecondStep = (password: string) => send('enable', { password }, begunSchema);
export const confirmSecondStep = (code: string) => send('verify-totp', { code }, z.unknown());
export const turnSecondStepOff = (password: string) => send('disable', { password }, z.unknown());
export const makeRecoveryCodes = async (password: string) =>
  (await send('generate-backup-codes', { password }, codesSchema)).backupCodes;
