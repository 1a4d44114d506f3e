import { ECDH } from 'node:crypto';
import type { Target } from '@homeport/contract/destinations/schema';
import { isUniqueViolation } from '@homeport/store';
import { ProblemError, wrongField } from '../http/problem.ts';

/** Nothing can be encrypted to a key that is no point of P-256. Browsers make none: somebody wrote it. */
export function refusePointOffCurve({ p256dh }: Extract<Target, { kind: 'web-push' }>): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', undefined, 'compressed');
  } catch {
    throw wrongField('target.p256dh', 'The key of the browser is not right.');
  }
}

/** A browser has one push address, so two tabs of it would make two destinations that show everything once. */
export function refuseSameBrowser(error: unknown): never {
  if (!isUniqueViolation(error, 'notice_destinations_device')) throw error;
  throw new ProblemError('conflict', 'This browser is a destination of yours already.', {
    recovery: 'Open it in the list of destinations.',
  });
}
