import { recommendedDokku } from '@homeport/contract/servers/dokku-versions';
import { type Command, hostCommand } from '../command.ts';
import type { DomainName } from '../names/domain-name.ts';
import { linesOf } from '../output.ts';

export const dokkuVersion = recommendedDokku;
export const bootstrapUrl = `https://dokku.com/install/v${dokkuVersion}/bootstrap.sh`;

/** Uses wget and not curl, because the installer itself needs wget. `path` is on the server. */
export function fetchInstaller(path: string): Command {
  return hostCommand(['wget', '-qO', path, bootstrapUrl], { needsRoot: true });
}

/**
 * Installs Dokku the official way, as root. The installer takes 5 to 10 minutes, so start it detached. Safe to run again: it
 * installs, upgrades or does nothing. Keys are added afterwards, so the key file is skipped.
 */
export function runInstaller(path: string, domain: DomainName, { isGlobal }: { isGlobal: boolean }): Command {
  return hostCommand(
    [
      'env',
      `DOKKU_TAG=v${dokkuVersion}`,
      `DOKKU_VHOST_ENABLE=${isGlobal}`,
      `DOKKU_HOSTNAME=${domain}`,
      'DOKKU_SKIP_KEY_FILE=true',
      'bash',
      path,
    ],
    { needsRoot: true },
  );
}

/** The installer's own steps, in their order. */
export type InstallStep = 'started' | 'dependencies' | 'docker' | 'dokku' | 'core_plugins' | 'finishing';

const marks: readonly (readonly [RegExp, InstallStep])[] = [
  [/^Preparing to install /, 'started'],
  [/^--> Ensuring we have the proper dependencies/, 'dependencies'],
  [/^--> Installing docker/, 'docker'],
  [/^--> Installing dokku/, 'dokku'],
  [/^(?:Setting up dokku user|Enabling all core plugins|Install all core plugins)/, 'core_plugins'],
  [/^--> Running post-install dependency installation/, 'finishing'],
];

/** The installer's current step, read from both streams together because both hold progress. Null before its first message. */
export function readProgress(output: string): InstallStep | null {
  let last: InstallStep | null = null;
  for (const line of linesOf(output)) last = marks.find(([pattern]) => pattern.test(line))?.[1] ?? last;
  return last;
}
