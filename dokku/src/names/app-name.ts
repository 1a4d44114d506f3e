import { z } from 'zod';

/**
 * Names that the console gives. Stricter than Dokku's `^[a-z0-9][a-z0-9.-]*$`: a trailing `-` or `.` passes Dokku and
 * breaks the image name at the first build; a dot makes the name itself the domain; 40 fits a DNS label.
 */
export const newAppNameSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'Use lower-case letters, digits and hyphens, at most 40.')
  .brand<'AppName'>();

/** Names that a server already has: older versions of Dokku allowed more. */
export const appNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, 'This is not a name that Dokku gives to an app.')
  .brand<'AppName'>();

export type AppName = z.output<typeof appNameSchema>;

/** @throws ZodError for a name that no app can have. */
export function appName(name: string): AppName {
  return appNameSchema.parse(name);
}
