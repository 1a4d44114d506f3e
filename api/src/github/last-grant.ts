import type { OwnerRead } from '@homeport/store';
import { SealBroken } from '../sealing/sealer.ts';
import { type GithubDeps, service } from './account.ts';
import { type Ask, askWith } from './client.ts';
import { endAtGithub } from './consent.ts';

/** The grant of an account whose rows are about to go. */
export type LastGrant = {
  /** Lets `work` ask GitHub once more, and then ends the grant there. */
  end(work: (ask: Ask) => Promise<void>): Promise<void>;
};

/** Reads the grant while its row is still there. Null: the person linked no account. */
export async function readLastGrant(
  { settings, sealer }: Pick<GithubDeps, 'settings' | 'sealer'>,
  { db, owner }: OwnerRead,
): Promise<LastGrant | null> {
  const row = await db
    .selectFrom('linked_accounts')
    .select('sealed')
    .where('owner_id', '=', owner)
    .where('service', '=', service)
    .executeTakeFirst();
  if (settings === null || !row) return null;
  return {
    async end(work) {
      try {
        await sealer.open({ ownerId: owner, purpose: service }, row.sealed, async (bytes) => {
          const token = bytes.toString();
          await work(askWith(settings, token));
          await endAtGithub(settings, 'grant', token);
        });
      } catch (error) {
        // A token that does not open any more ends nothing.
        if (!(error instanceof SealBroken)) throw error;
      }
    },
  };
}
