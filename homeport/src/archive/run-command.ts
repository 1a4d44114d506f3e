import { writeFile } from 'node:fs/promises';
import { loadArchive, openForRestore, type ReadArchive, readArchive, readMigrations } from '@homeport/store';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { ArchiveCommand } from '../config/arguments.ts';
import { type Environment, readEnvironment } from '../config/environment.ts';
import { ofDatabase, type Place, placeOf } from '../data-place.ts';
import type { Cleanup } from '../shutdown.ts';
import { StartError } from '../start-error.ts';
import { command, version } from '../version.ts';
import { presentSecret, takeSecret } from './kept-secret.ts';
import { makeBackup } from './make-backup.ts';
import { checkRecipients, unseal } from './seal.ts';

/** Does one command on backups of the console. `say` gets what the person should know. Throws `StartError` and `StoreError`. */
export async function runArchiveCommand(
  command: ArchiveCommand,
  cleanup: Cleanup,
  say: (text: string) => void,
): Promise<void> {
  const environment = readEnvironment(command.env);
  try {
    await run(command, { environment, ...placeOf(environment) }, cleanup, say);
  } catch (error) {
    throw ofDatabase(error);
  }
}

function run(
  command: ArchiveCommand,
  place: Given,
  cleanup: Cleanup,
  say: (text: string) => void,
): Promise<void> {
  switch (command.kind) {
    case 'backup':
      return backUp(command, place, cleanup, say);
    case 'backup-verify':
      return verify(command, say);
    case 'backup-key':
      return makeKey(command.file, say);
    case 'restore':
      return restore(command, place, cleanup, say);
  }
}

type Given = Place & { environment: Environment };

async function backUp(
  { file, recipients: named, plain }: Extract<ArchiveCommand, { kind: 'backup' }>,
  { environment, dataFolder, place }: Given,
  cleanup: Cleanup,
  say: (text: string) => void,
): Promise<void> {
  const recipients = plain ? [] : recipientsOf(named, environment);
  if (!plain && recipients.length === 0) throw noRecipient();
  checkRecipients(recipients);
  if (file === '-' && process.stdout.isTTY)
    throw new StartError(
      'A backup is no text for a terminal.',
      'Name a file, or send the output into one: > FILE.',
    );
  const secret = await presentSecret(environment, { dataFolder, isOwnServer: 'url' in place });
  const from = performance.now();
  const { rows, tables, bytes } = await makeBackup({ place, secret, file, recipients }, cleanup);
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  say(`Backed up ${rows} rows of ${tables} tables in ${seconds} s: ${file}, ${megabytes(bytes)}.`);
  say(
    plain
      ? 'It is not encrypted: whoever reads it is in every account, and reads every saved credential.'
      : 'It is encrypted. Only the private key opens it; keep that key on another machine.',
  );
}

const recipientsOf = (named: readonly string[], { HOMEPORT_BACKUP_RECIPIENT: usual }: Environment) =>
  named.length > 0 || usual === undefined ? named : [usual];

function noRecipient(): StartError {
  return new StartError(
    'For whom shall the backup be encrypted? It holds password hashes, and the console’s secret.',
    `Name a public key of age with --recipient or HOMEPORT_BACKUP_RECIPIENT (“${command} backup key FILE” makes a pair), or leave it in clear with --plain.`,
  );
}

async function verify(
  { file, identity }: Extract<ArchiveCommand, { kind: 'backup-verify' }>,
  say: (text: string) => void,
): Promise<void> {
  const source = await unseal(file, identity);
  const archive = await readArchive(source, { head: async () => {}, piece: async () => {} });
  const known = new Map((await readMigrations()).map(({ number, checksum }) => [number, checksum]));
  say(`${file} is whole: ${described(archive)}.`);
  if (archive.head.migrations.some(({ number, checksum }) => known.get(number) !== checksum))
    say(
      `This program (${version}) cannot restore it: it was made by a newer Homeport (${archive.head.madeBy}).`,
    );
}

async function restore(
  { file, identity, keepTokens }: Extract<ArchiveCommand, { kind: 'restore' }>,
  { environment, dataFolder, place }: Given,
  cleanup: Cleanup,
  say: (text: string) => void,
): Promise<void> {
  const source = await unseal(file, identity);
  const migrations = await readMigrations();
  const database = await openForRestore(place);
  cleanup.add('PostgreSQL', () => database.close());
  const from = performance.now();
  const archive = await loadArchive(database.client, source, {
    ...{ migrations, keepTokens, now: Date.now() },
    beforeCommit: ({ secret }) =>
      takeSecret(secret, environment, { dataFolder, isOwnServer: 'url' in place }),
  });
  await database.finish();
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  say(`Restored ${described(archive)}, in ${seconds} s. Every table was read again and compared.`);
  say(
    keepTokens
      ? 'API tokens work as before, also those that were revoked since the backup. Everybody signs in again.'
      : 'API tokens are revoked. Everybody signs in again.',
  );
  if ('url' in place && environment.HOMEPORT_SECRET === undefined)
    say(
      `Its secret is in ${dataFolder}/secret: start the console with HOMEPORT_SECRET_FILE=${dataFolder}/secret.`,
    );
  say(
    'The console mails nothing, checks nothing and runs no schedule until its owner says on a page that this is the console now.',
  );
}

function described({ head, manifest }: ReadArchive): string {
  const rows = Object.values(manifest.tables).reduce((sum, proof) => sum + proof.rows, 0);
  const at = new Date(head.at).toISOString().replace('T', ' ').slice(0, 16);
  return `${rows} rows of ${head.tables.length} tables, backed up by Homeport ${head.madeBy} on ${at} UTC`;
}

/** A pair of keys as age-keygen makes it. */
async function makeKey(file: string, say: (text: string) => void): Promise<void> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        error.code === 'EEXIST' ? `${file} exists already.` : `${file} cannot be written: ${error.message}.`,
        'Nothing was changed. Choose another name.',
      );
    },
  );
  say(`The private key is in ${file}. Move it to another machine: without it no backup can be opened.`);
  say(`The public key, for --recipient or HOMEPORT_BACKUP_RECIPIENT: ${recipient}`);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
