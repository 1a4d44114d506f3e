import { z } from 'zod';
import { type Command, dokku, type Outcome, withStdin } from '../command.ts';
import { fingerprintOf } from '../names/fingerprint.ts';
import type { SshKeyName } from '../names/ssh-key-name.ts';
import { readJson } from '../output.ts';

/**
 * Root only. The key goes over stdin as one line: without the line break at its end Dokku fails with 1 and no message.
 * Fails with `duplicate_key` when the server has the name or the key already, which counts as done.
 */
export function add(name: SshKeyName, publicKey: string): Command {
  return withStdin(dokku('ssh-keys:add', name), `${publicKey.trim()}\n`);
}

/** Root only. Prints nothing, also for an absent name. */
export function remove(name: SshKeyName): Command {
  return dokku('ssh-keys:remove', name);
}

export function list(): Command {
  return dokku('ssh-keys:list', '--format', 'json');
}

export type ServerKey = { readonly name: string; readonly fingerprint: string };

const keysSchema = z.array(
  z.object({ name: z.string(), fingerprint: z.string(), 'public-key': z.string().optional() }),
);

/**
 * A server without any key ends with 1 and a sentence, which reads as an empty list. Null for another failure. Dokku prints the fingerprint
 * that its file has: an old line has that of MD5. So it is computed from the key, where Dokku prints the key.
 */
export function readList(outcome: Outcome): ServerKey[] | null {
  if (outcome.exitCode === 1 && outcome.stderr.includes('authorized_keys is empty')) return [];
  if (outcome.exitCode !== 0) return null;
  return readJson('ssh-keys:list', outcome.stdout, keysSchema).map(
    ({ name, fingerprint, 'public-key': publicKey = '' }) => ({
      name,
      fingerprint: fingerprintOf(publicKey) ?? fingerprint,
    }),
  );
}
