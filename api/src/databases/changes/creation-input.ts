import { databaseTypeSchema } from '@homeport/contract/databases/schema';
import { z } from 'zod';

/**
 * The server half of `POST /api/databases`. The name is settled before the work starts, so a repeated run means the
 * same database.
 */
export const creationInput = z.object({
  serverId: z.uuid(),
  name: z.string(),
  type: databaseTypeSchema,
  longname: z.string(),
  imageVersion: z.string().nullable(),
  memoryMb: z.number().nullable(),
  installPlugin: z.boolean(),
});
export type CreationInput = z.output<typeof creationInput>;

/** Reads the input that the store keeps for a creation. */
export const creationInputOf = (stored: unknown): CreationInput => creationInput.parse(stored);
