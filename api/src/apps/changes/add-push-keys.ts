import {
  canBecomeRoot,
  failureOf,
  type SshKeyName,
  sshKeyName,
  sshKeyNameSchema,
  sshKeys,
} from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext } from '../../operations/definition.ts';
import { findServer } from '../../records/server-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { accountOf } from '../../remote/server-access.ts';

/**
 * `keys`: the keys that the server has now, each with the name under which Dokku knows it. `skipped`: how many
 * keys the server had already. `warnings`: one sentence for each key that was not added.
 */
type Added = { keys: { id: string; name: SshKeyName }[]; skipped: number; warnings: string[] };

/**
 * Gives the chosen public keys the right to push to the server. A key that the server already has keeps its
 * name there. A warning names each key that was not added, because the account is not root or the server
 * refused the key. The other keys are added.
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
  const present = sshKeys.readList(await context.run('apps', sshKeys.list(), { accept: 'any', quiet: true }));
  const added: Added = { keys: [], skipped: 0, warnings: [] };
  for (const key of keys) {
    // The first, as sshd takes it.
    const known = present?.find((each) => each.fingerprint === key.fingerprint);
    const name = sshKeyNameSchema.safeParse(known?.name).data;
    if (name) {
      added.keys.push({ id: key.id, name });
      added.skipped += 1;
      continue;
    }
    if (known) {
      added.warnings.push(
        `The server has the key ${key.name} under a name that Homeport passes on to no command.`,
      );
      continue;
    }
    if (!canBecomeRoot(accountOf(server, 'root'))) {
      added.warnings.push(
        `The key ${key.name} was not added, because adding a key needs root on the server.`,
      );
      continue;
    }
    // Dokku writes the name unescaped into a shell line. So the name is made from the key’s id, never from
    // text that a person typed.
    const given = sshKeyName(`homeport-${key.id}`);
    const failure = failureOf(
      await context.run('root', sshKeys.add(given, key.public_key), { accept: 'any' }),
    );
    if (failure && failure.code !== 'duplicate_key') {
      added.warnings.push(`The key ${key.name} was not added: ${failureSentence(failure)}`);
      continue;
    }
    if (failure) added.skipped += 1;
    added.keys.push({ id: key.id, name: given });
  }
  return added;
}
