import { z } from 'zod';
import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';

// The releases of an app that its server keeps (`dokku/plugin/release-functions`).

/** Dokku's name for its record of a deploy. */
export const releaseIdSchema = z
  .string()
  .max(32)
  .regex(/^[a-z0-9]{1,32}$/)
  .brand<'ReleaseId'>();
export type ReleaseId = z.output<typeof releaseIdSchema>;

/**
 * Lets a kept release serve again. The work goes on to its end on the server when the connection is lost. Ends with 1 where the release
 * does not serve, and then the version before does.
 */
export function goBack(app: AppName, release: ReleaseId): Command {
  return dokku('homeport:rollback', app, release);
}

/** Removes a kept release. Removing one that is gone is no failure. */
export function remove(app: AppName, release: ReleaseId): Command {
  return dokku('homeport:release-delete', app, release);
}
