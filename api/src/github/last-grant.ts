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
  { settings, sealer, readApp }: Pick<GithubDeps, 'settings' | 'sealer' | 'readApp'>,
  { db, owner }: OwnerRead,
): Promise<LastGrant | null> {
  const row = await db
    .selectFrom('linked_accounts')
    .select(['sealed', 'kind'])
    .where('owner_id', '=', owner)
    .where('service', '=', service)
    .executeTakeFirst();
  if (!row) return null;
  // No program ends a token that a person made.
  const app = row.kind === 'oauth' ? await readApp() : null;
  return {
    async end(work) {
      try {
        await sealer.open({ ownerId: owner, purpose: service }, row.sealed, async (bytes) => {
          const token = bytes.toString();
          await work(askWith(settings, token));
          if (app) await endAtGithub(settings, app, 'grant', token);
        });
      } catch (error) {
        // A token that does not open any more ends nothing.
        if (!(error instanceof SealBroken)) throw error;
      }
    },
  };
}
