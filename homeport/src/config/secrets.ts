import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Environment } from './environment.ts';

/** Step three: values that must never be logged or shown. They are not part of `Config`, so that printing a config is harmless. */
export type Secrets = {
  /** Signs sessions, and seals credentials of linked accounts. */
  secret: string;
  /** Opens what was sealed before `secret` replaced it. */
  previousSecret: string | undefined;
  /** Makes the records of claimed subdomains at Cloudflare. */
  appDomainToken: string | undefined;
  databaseUrl: string | undefined;
  smtpUrl: string | undefined;
  githubClientSecret: string | undefined;
  /** By which a front of the proxy service shows that it is one. */
  proxyFrontSecret: string | undefined;
};

/** Takes the given secrets, and makes the session secret if it is missing. Throws `ConfigError`. */
export async function readSecrets(environment: Environment, dataFolder: string): Promise<Secrets> {
  return {
    secret: environment.HOMEPORT_SECRET ?? (await keptSecret(dataFolder)),
    previousSecret: environment.HOMEPORT_SECRET_PREVIOUS,
    appDomainToken: environment.HOMEPORT_APP_DOMAIN_TOKEN,
    databaseUrl: environment.DATABASE_URL,
    smtpUrl: environment.HOMEPORT_SMTP_URL,
    githubClientSecret: environment.HOMEPORT_GITHUB_CLIENT_SECRET,
    proxyFrontSecret: environment.HOMEPORT_PROXY_FRONT_SECRET,
  };
}

async function keptSecret(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'secret');
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new ConfigError(`${file} cannot be read: ${error.message}`);
  });
  return kept.trim() || makeSecret(file, dataFolder);
}

/** Writes another file and links it into place, so that the secret is whole or absent. The first of two starting consoles wins. */
async function makeSecret(file: string, dataFolder: string): Promise<string> {
  const unfinished = `${file}.${process.pid}`;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(unfinished, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(unfinished);
  return (await readFile(file, 'utf8')).trim();
}
