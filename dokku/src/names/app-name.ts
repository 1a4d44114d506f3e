import { longnameCharacters } from '@homeport/contract/apps/default-domain';
import { z } from 'zod';

const wrongName = `Use lower-case letters, digits and hyphens, at most ${longnameCharacters}.`;

/**
 * The names that the console gives to apps. The rule is stricter than Dokku's `^[a-z0-9][a-z0-9.-]*$`. Dokku accepts a trailing
 * `-` or `.`, which breaks the image name at the first build. A dot makes the name itself the domain. The longest name fits
 * into a DNS label.
 */
export const newAppNameSchema = z
  .string()
  .max(longnameCharacters, wrongName)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, wrongName)
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
