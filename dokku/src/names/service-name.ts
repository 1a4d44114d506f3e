import { serviceNameMalformed, serviceNamePattern } from '@homeport/contract/databases/facts';
import { z } from 'zod';

/** The name of a database service. Every name that `makeLongname` gives fits, and so does what a server already has. */
export const serviceNameSchema = z
  .string()
  .regex(serviceNamePattern, serviceNameMalformed)
  .brand<'ServiceName'>();

export type ServiceName = z.output<typeof serviceNameSchema>;

/** @throws ZodError for a name that no service can have. */
export function serviceName(name: string): ServiceName {
  return serviceNameSchema.parse(name);
}
