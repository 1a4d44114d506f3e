import type { z } from 'zod';

/** What an answer says, where it is such JSON; else null. */
export function readJson<S extends z.ZodType>(body: string, schema: S): z.output<S> | null {
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}
