import { type AppName, acl, failureOf, type Outcome, sshKeyNameSchema, sshKeys } from '@homeport/dokku';
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
  const keys = sshKeys.readList(await run(sshKeys.list(), { ...limits, accept: 'any' }));
  if (keys === null) throw new ProblemError('remote_failed', 'The server did not say which keys push there.');
  return { keys, listed: list.exitCode === 0 ? [...new Set(acl.readList(list))] : null };
}

/** Whether Homeport passes a name on to Dokku, which writes names into shell lines and sed patterns. */
export const isPlainName = (name: string) => sshKeyNameSchema.safeParse(name).success;

/** The names on the list that Homeport changes; null: no app has a list. */
export const plainListed = ({ listed }: KeysOnServer) => listed?.filter(isPlainName) ?? null;
