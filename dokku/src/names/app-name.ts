import { z } from 'zod';

/**
 * The names that the console gives to apps. The rule is stricter than Dokku's `^[a-z0-9][a-z0-9.-]*$`. Dokku accepts a trailing
 * `-` or `.`, which breaks the image name at the first build. A dot makes the name itself the domain. 40 characters fit into a
 * DNS label.
 */
export const newAppNameSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'Use lower-case letters, digits and hyphens, at most 40.')
  .brand<'AppName'>();

/** The names of apps that a server already has. Older versions of Dokku allowed more characters. */
export const appNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, 'This is not a name that Dokku gives to an app.')
  .brand<'AppName'>();

export type AppName = z.output<typeof appNameSchema>;

/** @throws ZodError for a name that no app can have. */
export function appName(name: string): AppName {
  return appNameSchema.parse(name);
}
