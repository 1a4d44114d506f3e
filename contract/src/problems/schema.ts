import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from './facts.ts';

/** The record of a failed remote command. It never holds a secret, and `outputTail` is at most 4 kB. */
export const remoteFailureSchema = z.object({
  command: z.string(),
  account: z.string(),
  exitCode: z.number().int().nullable(),
  outputTail: z.string(),
});

export const problemSchema = z
  .object({
    code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    recovery: z.string(),
    /** A message per input field, by its path (`name`, `domains.0`). */
    fields: z.record(z.string(), z.string()).optional(),
    remote: remoteFailureSchema.optional(),
    /** For `host_key_changed`: both SHA256 fingerprints. */
    fingerprints: z.object({ pinned: z.string(), presented: z.string() }).optional(),
    /** For `connection_required`: which server, and which account on it to log in as. */
    connection: z.object({ serverId: z.uuid(), user: z.string() }).optional(),
    /** For `stale_edit`: the current record. */
    current: z.unknown().optional(),
    retryAfterSeconds: z.number().optional(),
  })
  .meta({ id: 'Problem' });

export type Problem = z.output<typeof problemSchema>;
export type RemoteFailure = z.output<typeof remoteFailureSchema>;
