import { z } from 'zod';
import { epochMsSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';

/** What runs here, for the owner: what a report of a fault names, and what an upgrade changes. */
export const consoleFactsSchema = z
  .object({
    version: z.string(),
    /** Of the sources; null: not known. */
    commit: z.string().nullable(),
    /** When this process started. */
    startedAt: epochMsSchema,
    node: z.string(),
    postgres: z.object({
      version: z.string(),
      startedAt: epochMsSchema,
      /** The console brings and runs it. False: it is the operator's, at DATABASE_URL. */
      embedded: z.boolean(),
    }),
    data: z.object({
      bytes: z.number(),
      /** The number of the last step of the schema, and when it ran here. */
      schema: z.number().int(),
      schemaAt: epochMsSchema,
    }),
  })
  .meta({ id: 'ConsoleFacts' });
export type ConsoleFacts = z.output<typeof consoleFactsSchema>;

export const consoleRoutes = {
  'GET /api/console': {
    access: 'owner',
    summary: 'What this console is: its version, its PostgreSQL and its data',
    reply: consoleFactsSchema,
  },
} as const satisfies RouteTable;
