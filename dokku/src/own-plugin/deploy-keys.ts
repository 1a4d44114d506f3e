import { z } from 'zod';
import { type Command, dokku, type Outcome, withStdin } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { readTold, those } from './lines.ts';

// A deploy key for each app, whose private half the server makes and keeps (`dokku/plugin/key-functions`).

/** The Git host, and the repository to which a key belongs. `hostKeys`: as known_hosts(5) has them, without a name before them. */
export type GitHost = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly hostKeys: readonly string[];
  readonly repository: string;
};

/** A host key as GitHub tells it and known_hosts(5) has it: the type and the key. */
export const hostKeySchema = z
  .string()
  .max(1_500)
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]{40,1400}={0,2}$/,
    'This is no host key.',
  );

/** The plugin takes so many. */
export const mostHostKeys = 16;

/** Where the plugin keeps an app's key on a real server. */
export const folderOf = (app: AppName) => `/home/dokku/.ssh/homeport/${app}`;

/**
 * Makes the app's key for a repository, unless the server has a whole one for it, and ssh's settings for the name that stands for the
 * host (`git.hostAlias`). The key of another repository goes.
 */
export function write(app: AppName, { host, port, user, hostKeys, repository }: GitHost): Command {
  const fields: [string, string][] = [
    ['host', host],
    ['port', String(port)],
    ['user', user],
    ['repository', repository],
    ...hostKeys.map((key): [string, string] => ['host_key', key]),
  ];
  if (fields.some(([, value]) => /[\r\n]/.test(value))) throw new RangeError('A value has a line end.');
  const lines = fields.map(([field, value]) => `${field} ${value}\n`).join('');
  return withStdin(dokku('homeport:deploy-key-write', app), lines);
}

/** Removes the app's key and ssh's settings for it, also of an app that is gone. */
export function remove(app: AppName): Command {
  return dokku('homeport:deploy-key-delete', app);
}

const publicKeySchema = z
  .string()
  .max(200)
  .regex(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}$/);
const writtenSchema = z.object({ deployKey: z.object({ app: z.string(), publicKey: publicKeySchema }) });

/** The public half, without a comment. @throws UnreadableOutputError for an answer about another app, or without an Ed25519 key */
export function readWritten(outcome: Outcome, app: AppName): string {
  const name = 'homeport:deploy-key-write';
  const [told] = those(readTold(name, outcome.stdout).values, writtenSchema);
  if (told?.deployKey.app !== app) throw new UnreadableOutputError(name, outcome.stdout);
  return told.deployKey.publicKey;
}

const removedSchema = z.object({ deployKeyGone: z.object({ was: z.boolean() }) });

/** Whether the server had a key. @throws UnreadableOutputError */
export function readRemoved(outcome: Outcome): boolean {
  const name = 'homeport:deploy-key-delete';
  const [told] = those(readTold(name, outcome.stdout).values, removedSchema);
  if (!told) throw new UnreadableOutputError(name, outcome.stdout);
  return told.deployKeyGone.was;
}
