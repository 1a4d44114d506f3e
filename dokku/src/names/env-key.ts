import { z } from 'zod';

/** Dokku's own rule for the name of an environment variable. */
export const envKeySchema = z
  .string()
  .max(256, 'Use at most 256 characters.')
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits and underscore, not beginning with a digit.')
  .brand<'EnvKey'>();

export type EnvKey = z.output<typeof envKeySchema>;

/** @throws ZodError */
export function envKey(key: string): EnvKey {
  return envKeySchema.parse(key);
}
