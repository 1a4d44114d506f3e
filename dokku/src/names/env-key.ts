import { environmentKeySchema } from '@homeport/contract/apps/settings-schema';
import type { z } from 'zod';

export const envKeySchema = environmentKeySchema.brand<'EnvKey'>();

export type EnvKey = z.output<typeof envKeySchema>;

/** @throws ZodError */
export function envKey(key: string): EnvKey {
  return envKeySchema.parse(key);
}
