import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { epochSecondsToMs, readJson, reportSchema } from '../output.ts';

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

export function report(app: AppName): Command {
  return dokku('letsencrypt:report', app, '--format', 'json');
}

export type CertificateReport = {
  readonly active: boolean;
  readonly email: string;
  readonly expiresAt: number | null;
};

export function readReport(outcome: Outcome): CertificateReport {
  const report = readJson('letsencrypt:report', outcome.stdout, reportSchema);
  return {
    active: report.active === 'true',
    email: report['computed-email'] ?? '',
    expiresAt: epochSecondsToMs(report.expiration ?? ''),
  };
}
