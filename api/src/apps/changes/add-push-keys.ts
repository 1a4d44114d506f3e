import { canBecomeRoot, type SshKeyName, sshKeyName, sshKeys } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';
import { findServer } from '../../records/server-record.ts';
import { accountOf } from '../../remote/server-access.ts';

/** `names`: under which Dokku knows the keys. `skipped`: how many the server had already. */
type Added = { names: SshKeyName[]; skipped: number; warning: string | null };

/**
 * Gives the chosen public keys the right to push to the server. A key that is there already is left as it is, under the
 * name that it has there. Root only: where the account is not, what is missing is said instead.
 */
export async function addPushKeys(
  deps: { db: Kysely<Database> },
  context: StepContext<{ serverId: string }>,
  keyIds: readonly string[],
): Promise<Added> {
  const server = await findServer({ owner: context.owner, db: deps.db }, context.input.serverId);
  const keys = await deps.db
    .selectFrom('keys')
    .selectAll()
    .where('owner_id', '=', context.owner)
    .where('id', 'in', [...keyIds])
    .execute();
  const present = sshKeys.readList(
    await context.run('apps', sshKeys.list(), { accept: [0, 1], quiet: true }),
  );
  if (!present) throw new ProblemError('remote_failed', 'The server did not say which keys it has.');
  const added: Added = { names: [], skipped: 0, warning: null };
  for (const key of keys) {
    const known = present.find((each) => each.fingerprint === key.fingerprint);
    if (known) {
      added.names.push(sshKeyName(known.name));
      added.skipped += 1;
      continue;
    }
    if (!canBecomeRoot(accountOf(server, 'root'))) {
      added.warning = `The key ${key.name} was not added: that needs root on the server.`;
      continue;
    }
    // Dokku writes the name unescaped into a shell line: it is made of the key’s id, never of what a person typed.
    const name = sshKeyName(`homeport-${key.id}`);
    const ran = await context.run('root', sshKeys.add(name, key.public_key), { accept: [0, 1] });
    const duplicate = ran.exitCode === 1 && /Duplicate ssh/.test(`${ran.stdout}${ran.stderr}`);
    if (ran.exitCode === 1 && !duplicate)
      throw new ProblemError('remote_failed', `The server did not take the key ${key.name}.`);
    if (duplicate) added.skipped += 1;
    added.names.push(name);
  }
  return added;
}
