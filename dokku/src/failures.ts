import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import { failureTailCharacters } from '@homeport/contract/limits';
import { type Command, commandName, type Outcome } from './command.ts';
import { linesOf } from './output.ts';

/** Why a Dokku command failed. `code` decides the console's next action; the text is for people. */
export type DokkuFailure =
  | { readonly code: 'connection_lost' }
  | { readonly code: 'not_installed' }
  | { readonly code: 'app_missing'; readonly app: string }
  | { readonly code: 'name_taken' }
  | { readonly code: 'name_invalid' }
  | { readonly code: 'domain_invalid' }
  | { readonly code: 'deploy_locked' }
  | { readonly code: 'must_be_root' }
  | { readonly code: 'sudo_password' }
  | { readonly code: 'access_denied' }
  | { readonly code: 'not_deployed' }
  | { readonly code: 'nothing_to_build' }
  | { readonly code: 'commit_missing' }
  | { readonly code: 'repository_unreachable' }
  | { readonly code: 'repository_refused' }
  | { readonly code: 'git_host_unproven' }
  | { readonly code: 'git_key_refused' }
  | { readonly code: 'git_host_unreachable' }
  | { readonly code: 'nothing_new' }
  | { readonly code: 'archive_damaged' }
  | { readonly code: 'archive_refused'; readonly text: string }
  | { readonly code: 'duplicate_key' }
  | { readonly code: 'key_invalid' }
  | { readonly code: 'already_allowed' }
  | { readonly code: 'command_unknown'; readonly command: string }
  | { readonly code: 'checks_failed' }
  | { readonly code: 'formation_in_repository' }
  | { readonly code: 'process_unknown' }
  | { readonly code: 'build_failed' }
  | { readonly code: 'too_many_cpus'; readonly available: string }
  | { readonly code: 'nginx_invalid' }
  | { readonly code: 'email_missing' }
  | { readonly code: 'certificate_failed'; readonly reason: CertificateReason }
  | { readonly code: 'package_lock' }
  | { readonly code: 'system_unsupported' }
  | { readonly code: 'hostname_missing' }
  | { readonly code: 'package_failed' }
  | { readonly code: 'service_exists' }
  | { readonly code: 'service_missing'; readonly service: string }
  | { readonly code: 'service_name_invalid' }
  | { readonly code: 'service_linked' }
  | { readonly code: 'service_not_ready' }
  | { readonly code: 'service_container_missing' }
  | { readonly code: 'image_pull_failed'; readonly image: string }
  | { readonly code: 'already_linked'; readonly variable: string }
  | { readonly code: 'not_linked'; readonly app: string }
  | { readonly code: 'alias_taken'; readonly alias: string }
  | { readonly code: 'already_promoted'; readonly variable: string }
  | { readonly code: 'already_exposed'; readonly ports: string }
  | { readonly code: 'port_taken' }
  | { readonly code: 'dump_no_room'; readonly neededBytes: number; readonly freeBytes: number }
  | { readonly code: 'dump_missing' }
  | { readonly code: 'dump_exists' }
  | { readonly code: 'dump_empty' }
  | { readonly code: 'dump_damaged' }
  | { readonly code: 'dump_cut_off' }
  | { readonly code: 'dump_not_on_disk' }
  | { readonly code: 'export_failed' }
  | { readonly code: 'import_failed' }
  | { readonly code: 'schedule_missing' }
  | { readonly code: 'schedule_invalid' }
  | { readonly code: 'keys_missing' }
  | { readonly code: 'client_missing' }
  | { readonly code: 'crontab_failed' }
  | { readonly code: 'ssh_settings_closed'; readonly text: string }
  | { readonly code: 'ssh_missing' }
  | { readonly code: 'bad_usage'; readonly text: string }
  | { readonly code: 'failed'; readonly exitCode: number; readonly text: string };

type CertificateReason = 'dns' | 'connection' | 'unauthorized' | 'caa' | 'rate_limited' | 'unknown';

/**
 * Reads a finished command. Null is success. The exit code decides, with one exception: `ps:start`, `ps:stop` and
 * `ps:restart` of an app that was never deployed end with 0 and do nothing. A deploy merges stderr into stdout, so both streams
 * are read. ` !     ` marks warnings and errors alike, so it decides nothing. A cause stands near the end, so earlier output is
 * not read.
 */
export function failureOf(outcome: Outcome, command?: Command): DokkuFailure | null {
  const text = linesOf(`${lastOf(outcome.stderr)}\n${lastOf(outcome.stdout)}`).join('\n');
  if (outcome.exitCode === null) return { code: 'connection_lost' };
  if (outcome.exitCode === 0) return saysNotDeployed(text) ? { code: 'not_deployed' } : null;
  const noun = command?.program === 'dokku' ? (commandName(command).split(':', 1)[0] ?? null) : null;
  for (const [find, read, prints] of [...causes, ...serviceCauses]) {
    if (noun !== null && prints && !prints.includes(noun)) continue;
    const found: Found | null = find instanceof RegExp ? find.exec(text) : find(text);
    if (found) return read(found);
  }
  if (outcome.exitCode === 127) return { code: 'not_installed' };
  if (outcome.exitCode === 100) return { code: 'package_failed' };
  if (outcome.exitCode === 2) return { code: 'bad_usage', text: lastLines(text) };
  return { code: 'failed', exitCode: outcome.exitCode, text: lastLines(text) };
}

const lastOf = (text: string) => text.slice(-failureTailCharacters);

function saysNotDeployed(text: string): boolean {
  return text.split('\n').some((line) => {
    const [app, ...rest] = line.startsWith(notDeployed.before)
      ? line.slice(notDeployed.before.length).split(' ')
      : [];
    return app !== undefined && app !== '' && rest.join(' ') === notDeployed.after;
  });
}

const notDeployed = { before: ' !     App ', after: 'has not been deployed' };

/** Dokku repeats the whole line between backticks; the line's first word is the command that Dokku does not know. */
function unknownCommand(text: string): Found | null {
  const end = text.indexOf('` is not a dokku command');
  const begin = end < 1 ? -1 : text.lastIndexOf('`', end - 1);
  if (begin < 0) return null;
  const line = text.slice(begin + 1, end);
  return [line, line.split(' ', 1)[0] ?? ''];
}

type Found = readonly (string | undefined)[];
type Cause = readonly [
  find: RegExp | ((text: string) => Found | null),
  read: (found: Found) => DokkuFailure,
  /** The nouns of Dokku's commands that can print the cause: `git` of `git:sync`. Without it, each can. */
  prints?: readonly string[],
];

const ofService = ['homeport', ...databaseTypeNames];
const ofHomeport = ['homeport'];
const ofCertificates = ['letsencrypt'];
const ofPackages = ['plugin'];

const printedBy =
  (prints: readonly string[]) =>
  ([find, read]: Cause): Cause => [find, read, prints];

/** The order matters: a cause comes before the consequence that Dokku prints after it. */
const causes: readonly Cause[] = [
  [/(?:^|: )dokku: (?:command )?not found/m, () => ({ code: 'not_installed' })],
  [/App (\S*) does not exist/, (found) => ({ code: 'app_missing', app: found[1] ?? '' })],
  [/Name is already taken/, () => ({ code: 'name_taken' }), ['apps']],
  [/App name must begin with lowercase/, () => ({ code: 'name_invalid' }), ['apps', 'git']],
  [/ is invalid\. exiting\.\.\./, () => ({ code: 'domain_invalid' }), ['domains']],
  [/currently has a deploy lock in place/, () => ({ code: 'deploy_locked' })],
  [/This command must be run as root/, () => ({ code: 'must_be_root' })],
  [/sudo: a (?:password|terminal) is required/, () => ({ code: 'sudo_password' })],
  [/does not have permissions to|Access denied/, () => ({ code: 'access_denied' })],
  [(text) => (saysNotDeployed(text) ? [text] : null), () => ({ code: 'not_deployed' })],
  [/' as there are no commits/, () => ({ code: 'nothing_to_build' })],
  [/Duplicate ssh (?:key name|public key specified)/, () => ({ code: 'duplicate_key' }), ['ssh-keys']],
  [
    /is not a valid ssh public key|No key specified via file or pipe/,
    () => ({ code: 'key_invalid' }),
    ['ssh-keys'],
  ],
  [/User already has permissions to push/, () => ({ code: 'already_allowed' }), ['acl']],
  [unknownCommand, (found) => ({ code: 'command_unknown', command: found[1] ?? '' })],
  [/ only (\d+) CPUs available/, (found) => ({ code: 'too_many_cpus', available: found[1] ?? '' })],
  [/ and cannot be manually scaled/, () => ({ code: 'formation_in_repository' }), ['ps']],
  [/ is not a valid process name to scale up/, () => ({ code: 'process_unknown' }), ['ps']],
  [/ due to \d+ failed checks/, () => ({ code: 'checks_failed' })],
  [/App build failed/, () => ({ code: 'build_failed' })],
  // Git's own words, at the beginning of its lines: programs of a build fetch things too.
  [/: not a valid SHA1$|^error: pathspec '/m, () => ({ code: 'commit_missing' })],
  [/^fatal: unable to access '/m, () => ({ code: 'repository_unreachable' })],
  [
    /^fatal: (?:could not read Username|Authentication failed|repository ')/m,
    () => ({ code: 'repository_refused' }),
  ],
  ...sshCauses(),
  ...archiveCauses().map(printedBy(['git'])),
  [/nginx: \[emerg\]/, () => ({ code: 'nginx_invalid' })],
  [
    /Cannot request a certificate without an e-mail address/,
    () => ({ code: 'email_missing' }),
    ofCertificates,
  ],
  [
    /rate-limited this request/,
    () => ({ code: 'certificate_failed', reason: 'rate_limited' }),
    ofCertificates,
  ],
  [
    /acme:error:(dns|connection|unauthorized|caa)/,
    (found) => ({ code: 'certificate_failed', reason: reason(found[1]) }),
    ofCertificates,
  ],
  [/Failed to setup letsencrypt/, () => ({ code: 'certificate_failed', reason: 'unknown' }), ofCertificates],
  [/Could not get lock \/var\/lib\/(?:dpkg|apt)/, () => ({ code: 'package_lock' }), ofPackages],
  [/Unsupported Linux distribution/, () => ({ code: 'system_unsupported' }), ofPackages],
  [/requires that you have a hostname set/, () => ({ code: 'hostname_missing' }), ofPackages],
];

/** Causes that the service plugins name. The first word is the type as its plugin writes it: `Postgres`, `MongoDB`. */
const serviceCauses: readonly Cause[] = [
  ...dumpCauses().map(printedBy(ofHomeport)),
  ...scheduleCauses().map(printedBy(ofHomeport)),
  ...pluginCauses().map(printedBy(ofService)),
];

/** What the service plugins say of their services. */
function pluginCauses(): readonly Cause[] {
  return [
    [/ service \S+ already exists/, () => ({ code: 'service_exists' })],
    [/ service (\S+) does not exist/, (found) => ({ code: 'service_missing', service: found[1] ?? '' })],
    [/Please specify a valid name for the service/, () => ({ code: 'service_name_invalid' })],
    [/ image (\S+) pull failed/, (found) => ({ code: 'image_pull_failed', image: found[1] ?? '' })],
    // A deploy prints a line that begins alike and names its container in brackets, whether or not it succeeds.
    [/^=====> Start of \S{1,200} container output$/m, () => ({ code: 'service_not_ready' })],
    [/Cannot delete linked service/, () => ({ code: 'service_linked' })],
    [/Service container does not exist/, () => ({ code: 'service_container_missing' })],
    [/Already linked as (\S+)/, (found) => ({ code: 'already_linked', variable: found[1] ?? '' })],
    [/Not linked to app (\S+)/, (found) => ({ code: 'not_linked', app: found[1] ?? '' })],
    [/Specified alias (\S+) already in use/, (found) => ({ code: 'alias_taken', alias: found[1] ?? '' })],
    [/ already promoted as (\S+)/, (found) => ({ code: 'already_promoted', variable: found[1] ?? '' })],
    [
      / already exposed on port\(s\) ([^\n]+)/,
      (found) => ({ code: 'already_exposed', ports: found[1] ?? '' }),
    ],
    // Docker’s own words, from its allocator and, where a program outside Docker listens, from the kernel.
    [/port is already allocated|address already in use/, () => ({ code: 'port_taken' })],
  ];
}

/** What Homeport's own plugin says of dumps. */
function dumpCauses(): readonly Cause[] {
  return [
    [
      /it needs (\d+) bytes, and the disk has (\d+)/,
      (found) => ({ code: 'dump_no_room', neededBytes: Number(found[1]), freeBytes: Number(found[2]) }),
    ],
    [/Dump \S+ does not exist/, () => ({ code: 'dump_missing' })],
    [/Dump \S+ already exists/, () => ({ code: 'dump_exists' })],
    [/Dump \S+ is (?:damaged|empty)/, () => ({ code: 'dump_damaged' })],
    [/The export of \S+ is empty/, () => ({ code: 'dump_empty' })],
    [/The export of \S+ failed/, () => ({ code: 'export_failed' })],
    [/The upload ended early, and nothing was kept/, () => ({ code: 'dump_cut_off' })],
    [/The disk did not take the dump/, () => ({ code: 'dump_not_on_disk' })],
    [/The import into \S+ failed/, () => ({ code: 'import_failed' })],
  ];
}

/** What git and ssh say of a host that is reached with a deploy key, and Homeport's own plugin of ssh's settings. */
function sshCauses(): readonly Cause[] {
  return [
    [/^Host key verification failed\.\r?$/m, () => ({ code: 'git_host_unproven' })],
    [
      /^ssh: (?:connect to host|Could not resolve hostname) |^(?:Connection|kex_exchange_identification).{1,200} (?:timed out|closed by remote host)/m,
      () => ({ code: 'git_host_unreachable' }),
    ],
    [
      /^\S{1,300}: Permission denied \([a-z,-]{1,100}\)\.|^ERROR: Repository not found\.|^fatal: Could not read from remote repository\./m,
      () => ({ code: 'git_key_refused' }),
    ],
    [
      /^ ! {5}(\S{1,300} is a link, and Homeport does not .{1,20})$/m,
      (found) => ({ code: 'ssh_settings_closed', text: found[1] ?? '' }),
      ofHomeport,
    ],
    [/OpenSSH is not installed on this server/, () => ({ code: 'ssh_missing' }), ofHomeport],
  ];
}

/** What Dokku says of an archive, and where it ends without a word. */
function archiveCauses(): readonly Cause[] {
  return [
    [/No changes detected, skipping git commit/, () => ({ code: 'nothing_new' })],
    [
      /^ ! {5}Archive ((?:exceeds|contains) .{1,200})$/m,
      (found) => ({ code: 'archive_refused', text: found[1] ?? '' }),
    ],
    [/not look like a tar archive|unexpected end of file$/m, () => ({ code: 'archive_damaged' })],
    [
      (text) => (text.trimEnd().endsWith('       Extracting gzipped tarball') ? [text] : null),
      () => ({ code: 'archive_damaged' }),
    ],
  ];
}

/** What Homeport's own plugin says of schedules. */
function scheduleCauses(): readonly Cause[] {
  return [
    [/ has no schedule$/m, () => ({ code: 'schedule_missing' })],
    [/Please specify a valid (?:schedule|S3 address)/, () => ({ code: 'schedule_invalid' })],
    [/Please specify the access key and the secret/, () => ({ code: 'keys_missing' })],
    [/rclone is not installed on this server/, () => ({ code: 'client_missing' })],
    [/Dokku could not write its crontab/, () => ({ code: 'crontab_failed' })],
  ];
}

function reason(word: string | undefined): CertificateReason {
  return word === 'dns' || word === 'connection' || word === 'unauthorized' || word === 'caa'
    ? word
    : 'unknown';
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join('\n').slice(-1000);
}
