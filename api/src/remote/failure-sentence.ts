import { noSuchCommit } from '@homeport/contract/github/facts';
import type { DokkuFailure } from '@homeport/dokku';

/** Says in one sentence what a failed Dokku command means, with the way out if there is one. */
export function failureSentence(failure: DokkuFailure): string {
  if (isPlain(failure)) return plainSentences[failure.code];
  switch (failure.code) {
    case 'app_missing':
      return `The server has no app ${failure.app}.`;
    case 'command_unknown':
      return failure.command === 'config:import'
        ? 'The server’s Dokku is older than 0.37, which is the first to take variables without showing them in the process list. Update Dokku, then try again.'
        : `The server’s Dokku does not know ${failure.command}: a plugin is missing or its version is too old.`;
    case 'too_many_cpus':
      return `The plan needs more CPUs than the server has (${failure.available}). Choose a smaller plan.`;
    case 'certificate_failed':
      return certificateSentences[failure.reason];
    case 'service_missing':
      return `The server has no database ${failure.service}.`;
    case 'image_pull_failed':
      return `The server could not fetch the image ${failure.image}. Check the version and the server’s way to the registry.`;
    case 'already_linked':
      return `The app is already linked to this database, as ${failure.variable}.`;
    case 'not_linked':
      return `The app ${failure.app} is not linked to this database.`;
    case 'alias_taken':
      return `The app already has a variable for ${failure.alias}. Choose another.`;
    case 'already_promoted':
      return `The app already reads this database from ${failure.variable}.`;
    case 'already_exposed':
      return `The database is already exposed on ${failure.ports}.`;
    case 'dump_no_room':
    case 'dump_missing':
    case 'dump_exists':
    case 'dump_empty':
    case 'dump_damaged':
    case 'dump_cut_off':
    case 'dump_not_on_disk':
    case 'export_failed':
    case 'import_failed':
      return dumpSentence(failure);
    case 'archive_refused':
      return `Dokku does not take the repository’s archive, because it ${failure.text}. Nothing was deployed.`;
    case 'ssh_settings_closed':
      return `${failure.text}. Replace the link by a file, or deploy by an archive.`;
    case 'bad_usage':
      return `Dokku did not take the command: ${failure.text}`;
    case 'failed':
      return `The command ended with exit code ${failure.exitCode}.`;
  }
}

/** The failures that one sentence always fits. */
const plainSentences = {
  connection_lost: 'The connection was lost before the command reported its end.',
  not_installed: 'Dokku is not installed on this server.',
  name_taken: 'The server already has an app of this name.',
  name_invalid: 'Dokku does not take this app name.',
  domain_invalid: 'Dokku does not take this domain.',
  deploy_locked: 'A deploy of this app is running. Wait until it is over, then try again.',
  must_be_root: 'This needs root on the server, and the account is not root.',
  sudo_password: 'The account needs a password for sudo. Allow it without one, or link the server as root.',
  access_denied: 'The server’s access rules refused this.',
  not_deployed: 'This app has never been deployed. Push to it first.',
  nothing_to_build: 'There are no commits to build. Push to the app first.',
  commit_missing: noSuchCommit,
  repository_unreachable: 'The server does not reach the repository’s address.',
  repository_refused:
    'The repository is not there, or it is private. The server fetches public repositories only.',
  git_host_unproven:
    'GitHub’s git host has another key than the one that GitHub publishes, so the server broke off before it sent anything. Somebody may stand in between.',
  git_key_refused: 'GitHub’s git host did not let the app’s deploy key read the repository.',
  git_host_unreachable: 'The server does not reach GitHub’s git host over SSH.',
  ssh_missing: 'OpenSSH’s ssh and ssh-keygen are not installed on this server.',
  nothing_new: 'The app has exactly these files already.',
  archive_damaged: 'The archive of the repository did not arrive whole. Nothing was deployed.',
  duplicate_key: 'The server already has this key.',
  key_invalid: 'The server does not take this public key.',
  already_allowed: 'This key may already push to the app.',
  checks_failed:
    'The new containers failed their checks. The previous ones of this type keep serving; a type that passed before runs its new ones already.',
  formation_in_repository:
    'The formation in the repository’s app.json sets the numbers of processes. Change them there, and deploy.',
  process_unknown: 'The app has no such process. Its Procfile names those that it has.',
  build_failed: 'The build failed. The previous version keeps serving.',
  nginx_invalid: 'The server’s nginx refused its configuration; the faulty file may belong to another app.',
  email_missing: 'A certificate needs an e-mail address.',
  package_lock: 'Another package installation runs on the server. Wait for it, then try again.',
  system_unsupported:
    'Dokku does not support this operating system: it needs Debian 11 to 13, or Ubuntu 22.04 or 24.04.',
  hostname_missing: 'The server has no host name. Set one (hostnamectl set-hostname), then try again.',
  package_failed: 'A package could not be installed; the output says which.',
  service_exists: 'The server already has a database of this name.',
  service_name_invalid: 'Dokku does not take this name for a database.',
  service_linked: 'Apps are linked to this database. Unlink them first.',
  service_not_ready: 'The database’s container started and did not answer; the output says why.',
  service_container_missing: 'The database has no container. Start the database, then try again.',
  port_taken: 'Another program of the server listens on this port. Choose another.',
  schedule_missing: 'The server has no schedule for backups of this database.',
  schedule_invalid: 'The server did not take this schedule. The one before stays.',
  keys_missing: 'The server keeps no access key and secret for this S3 address.',
  client_missing: 'rclone, which copies backups, is not installed on this server.',
  crontab_failed:
    'The server keeps the schedule, and Dokku could not write its crontab; the output says why.',
} as const;

type PlainFailure = Extract<DokkuFailure, { code: keyof typeof plainSentences }>;

const isPlain = (failure: DokkuFailure): failure is PlainFailure => failure.code in plainSentences;

type DumpFailure = Extract<DokkuFailure, { code: `dump_${string}` | 'export_failed' | 'import_failed' }>;

function dumpSentence(failure: DumpFailure): string {
  switch (failure.code) {
    case 'dump_no_room':
      return `The server’s disk has too little room: the dump needs ${bytes(failure.neededBytes)}, and ${bytes(failure.freeBytes)} are free. Nothing was kept.`;
    case 'dump_missing':
      return 'The server has no such dump.';
    case 'dump_exists':
      return 'The server has a dump of this id already, which stays.';
    case 'dump_empty':
      return 'The database gave nothing to dump.';
    case 'dump_damaged':
      return 'The dump is empty or its checksum is wrong: its file was changed or damaged. Nothing was restored from it.';
    case 'dump_cut_off':
      return 'The file ended before its announced length. Nothing of it was kept.';
    case 'dump_not_on_disk':
      return 'The server’s disk did not take the dump: it is full or faulty. Nothing of the dump was kept.';
    case 'export_failed':
      return 'Dokku’s export failed, and nothing of it was kept; the output says why.';
    case 'import_failed':
      return 'Dokku’s import failed; the output says why.';
  }
}

/** `1.5 GB` */
const bytes = (count: number) =>
  count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(1)} GB`;

const certificateSentences = {
  dns: 'The certificate was refused: the domain does not resolve to this server yet.',
  connection: 'The certificate was refused: port 80 of this server cannot be reached from outside.',
  unauthorized: 'The certificate was refused: another host answered for the domain.',
  caa: 'The certificate was refused: the domain’s CAA record forbids it.',
  rate_limited: 'The certificate authority limits requests for this domain. Wait before you try again.',
  unknown: 'The certificate could not be retrieved; the output says why.',
} as const;
