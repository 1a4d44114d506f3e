import {
  type AppName,
  acl,
  failureOf,
  type Outcome,
  sshKeyNameSchema,
  sshKeys,
  UnreadableOutputError,
} from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { Run } from '../../remote/run-command.ts';

/** What a server says of the keys that push there. */
export type KeysOnServer = {
  keys: readonly sshKeys.ServerKey[];
  /** The names on the app’s list; null: the server has no acl plugin, so no app has a list. */
  listed: readonly string[] | null;
};

const lacksPlugin = (outcome: Outcome) => failureOf(outcome)?.code === 'command_unknown';

/** Two starts of Dokku. */
export async function readKeysOnServer(run: Run, app: AppName): Promise<KeysOnServer> {
  const limits = { quiet: true, maxOutputBytes: 256 * 1024 } as const;
  const list = await run(acl.list(app), { ...limits, accept: lacksPlugin });
  const keys = readList(await run(sshKeys.list(), { ...limits, accept: 'any' }));
  return { keys: usedKeys(keys), listed: list.exitCode === 0 ? [...new Set(acl.readList(list))] : null };
}

/** sshd takes the first line that has a key, so the name of a later line lets nobody in. */
export function usedKeys(keys: readonly sshKeys.ServerKey[]): sshKeys.ServerKey[] {
  const first = new Map(keys.toReversed().map((key) => [key.fingerprint, key]));
  return keys.filter((key) => first.get(key.fingerprint) === key);
}

function readList(outcome: Outcome): sshKeys.ServerKey[] {
  const unread = 'The server did not say which keys push there';
  try {
    const keys = sshKeys.readList(outcome);
    if (keys !== null) return keys;
  } catch (error) {
    if (!(error instanceof UnreadableOutputError)) throw error;
    // Dokku writes comments of keys into its answer as they are.
    const text = `${unread}. A key with a quotation mark in its comment may be the reason.`;
    throw new ProblemError('remote_failed', text, {}, { cause: error });
  }
  throw new ProblemError('remote_failed', `${unread}.`);
}

/** Whether Homeport passes a name on to Dokku, which writes names into shell lines and sed patterns. */
export const isPlainName = (name: string) => sshKeyNameSchema.safeParse(name).success;

/** The names on the list that Homeport changes; null: no app has a list. */
export const plainListed = ({ listed }: KeysOnServer) => listed?.filter(isPlainName) ?? null;
