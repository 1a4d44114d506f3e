import type { z } from 'zod';

/** What may be asked of a stand-in's process: the shape of what is given to each verb, and of what it tells. */
export type Verbs = Readonly<Record<string, { given: z.ZodType; told: z.ZodType }>>;
