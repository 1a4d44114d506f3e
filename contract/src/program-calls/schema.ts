import { z } from 'zod';
import { epochMsSchema, idSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { tokenKinds } from '../tokens/facts.ts';
import { callOutcomes, callSubjectKinds } from './facts.ts';

export const programCallSchema = z
  .object({
    id: idSchema,
    /** What was called, in words. */
    title: z.string(),
    /** The name of a tool, or the key of a route. */
    call: z.string(),
    /** null: the call is about no single record of the person. */
    subject: z
      .object({
        kind: z.enum(callSubjectKinds),
        id: z.string(),
        /** Its name now; null for a record that is gone. */
        name: z.string().nullable(),
      })
      .nullable(),
    outcome: z.enum(callOutcomes),
    /** How often from this address within an hour. */
    count: z.number().int(),
    firstAt: epochMsSchema,
    lastAt: epochMsSchema,
    address: z.string(),
    place: z.string(),
  })
  .meta({ id: 'ProgramCall' });
export type ProgramCall = z.output<typeof programCallSchema>;

export const formerProgramSchema = z
  .object({
    /** The id that the token had. */
    id: idSchema,
    kind: z.enum(tokenKinds),
    name: z.string(),
    lastFour: z.string(),
    lastCallAt: epochMsSchema,
  })
  .meta({ id: 'FormerProgram' });
export type FormerProgram = z.output<typeof formerProgramSchema>;

export const programCallRoutes = {
  'GET /api/tokens/former': {
    access: 'signed-in',
    summary: 'The person’s API tokens that are gone, as long as something is known of what they did',
    reply: z.array(formerProgramSchema),
  },
  'GET /api/tokens/:id/calls': {
    access: 'signed-in',
    summary:
      'What an API token of the person changed, and which tools it called; also of one that was revoked',
    params: z.object({ id: idSchema }),
    reply: z.array(programCallSchema),
  },
} as const satisfies RouteTable;
