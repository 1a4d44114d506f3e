import { processTypeSchema as named } from '@homeport/contract/apps/processes/schema';
import type { z } from 'zod';

/** A type of process, as a Procfile names it: `web`, `worker`. */
export const processTypeSchema = named.brand<'ProcessType'>();
export type ProcessType = z.output<typeof processTypeSchema>;

/** @throws ZodError */
export function processType(text: string): ProcessType {
  return processTypeSchema.parse(text);
}
