import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { StartError } from '../start-error.ts';

type SecretPlace = {
  dataFolder: string;
  /** The data are on a server of the operator's. Such a console has its secret from HOMEPORT_SECRET alone. */
  isOwnServer: boolean;
};

/** The secret by which the console's credentials are sealed. Unlike a start, a backup makes none. Throws `StartError`. */
export async function presentSecret(
  { HOMEPORT_SECRET: given }: Environment,
  { dataFolder, isOwnServer }: SecretPlace,
): Promise<string> {
  if (given !== undefined) return given;
  if (isOwnServer)
    throw new StartError(
      'With DATABASE_URL set, set HOMEPORT_SECRET too: the backup holds it.',
      'Set it to the secret with which the console runs.',
    );
  const kept = await readSecretFile(dataFolder);
  if (kept) return kept;
  throw new StartError(
    `${dataFolder} holds no secret of a console.`,
    'Name the console’s data folder with --data, and its HOMEPORT_SECRET if it has one.',
  );
}

/**
 * Makes the backup's secret the console's: what was sealed with it is opened with it. Refuses to replace a secret that another console may
 * use. Throws `StartError`.
 */
export async function takeSecret(
  secret: string,
  environment: Environment,
  { dataFolder, isOwnServer }: SecretPlace,
): Promise<void> {
  const { HOMEPORT_SECRET: given, HOMEPORT_SECRET_PREVIOUS: previous } = environment;
  // The next start seals again what the previous one opens.
  if (given === secret || previous === secret) return;
  if (given !== undefined)
    throw new StartError(
      'HOMEPORT_SECRET is not the secret of the console that was backed up.',
      'Nothing was changed. Set it to that secret, or name that secret in HOMEPORT_SECRET_PREVIOUS, or unset it: then the secret of the backup is kept in the data folder.',
    );
  const present = await readSecretFile(dataFolder);
  if (present === secret) return;
  if (present !== '' && isOwnServer)
    throw new StartError(
      `${dataFolder} holds the secret of another console.`,
      'Nothing was changed. Name a new data folder with --data: the restored console’s secret is kept there.',
    );
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const unfinished = join(dataFolder, `secret.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(unfinished, `${secret}\n`, { mode: 0o600 });
    await rename(unfinished, join(dataFolder, 'secret'));
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function readSecretFile(dataFolder: string): Promise<string> {
  const text = await readFile(join(dataFolder, 'secret'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartError(
      `The secret in ${dataFolder} cannot be read: ${error.message}.`,
      'Run this as the console’s user.',
    );
  });
  return text.trim();
}
