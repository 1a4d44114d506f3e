import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';

export const pluginUrl = 'https://github.com/dokku/dokku-letsencrypt.git';

/** The plugin does not check the address, so pass a checked one. */
export function setEmail(app: AppName, email: string): Command {
  return dokku('letsencrypt:set', app, 'email', email);
}

/** Requests one certificate for all domains of the app. A single domain that does not lead to the server fails all. Takes 10 to 60 s. */
export function enable(app: AppName): Command {
  return dokku('letsencrypt:enable', app);
}

/** Needed once for a server. Renews certificates daily. */
export function addCronJob(): Command {
  return dokku('letsencrypt:cron-job', '--add');
}
