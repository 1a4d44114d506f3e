import type { Store } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { consolePlace, destinationPlace, SealBroken, type Sealer } from './sealer.ts';

/**
 * Seals again with the console's present secret what was sealed with the one before, so that `HOMEPORT_SECRET_PREVIOUS` is needed
 * until the console has started once. Every replica may do so at its start: a row that changed meanwhile is left alone.
 */
export async function sealAgain(
  { db }: Pick<Store, 'db'>,
  sealer: Sealer,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  await sealConsoleAgain(db, sealer, log);
  await sealDestinationsAgain(db, sealer, log);
  const rows = await db
    .selectFrom('linked_accounts')
    .select(['id', 'owner_id', 'service', 'sealed'])
    .where(sql<boolean>`substring(sealed from 1 for ${sealer.present.length}) <> ${sealer.present}`)
    .execute();
  for (const { id, owner_id, service, sealed } of rows) {
    const place = { ownerId: owner_id, purpose: service };
    try {
      const again = await sealer.open(place, sealed, (secret) => sealer.seal(place, secret));
      await db
        .updateTable('linked_accounts')
        .set({ sealed: again })
        .where('id', '=', id)
        .where('sealed', '=', sealed)
        .execute();
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      // The page tells its person to link the account again.
      log.warn({ service }, 'a credential was sealed with a secret that this console does not have');
    }
  }
}

async function sealConsoleAgain(
  db: Store['db'],
  sealer: Sealer,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const rows = await db
    .selectFrom('console_credentials')
    .select(['name', 'sealed'])
    .where(sql<boolean>`substring(sealed from 1 for ${sealer.present.length}) <> ${sealer.present}`)
    .execute();
  for (const { name, sealed } of rows) {
    const place = consolePlace(name);
    try {
      const again = await sealer.open(place, sealed, (secret) => sealer.seal(place, secret));
      await db
        .updateTable('console_credentials')
        .set({ sealed: again })
        .where('name', '=', name)
        .where('sealed', '=', sealed)
        .execute();
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      log.warn({ name }, 'a credential of the console was sealed with a secret that it does not have');
    }
  }
}

async function sealDestinationsAgain(
  db: Store['db'],
  sealer: Sealer,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const rows = await db
    .selectFrom('notice_destinations')
    .select(['id', 'owner_id', 'sealed', 'kind'])
    .where('sealed', 'is not', null)
    .where(sql<boolean>`substring(sealed from 1 for ${sealer.present.length}) <> ${sealer.present}`)
    .execute();
  for (const { id, owner_id, sealed, kind } of rows) {
    if (sealed === null) continue;
    const place = destinationPlace(owner_id, id);
    try {
      const again = await sealer.open(place, sealed, (secret) => sealer.seal(place, secret));
      await db
        .updateTable('notice_destinations')
        .set({ sealed: again })
        .where('id', '=', id)
        .where('sealed', '=', sealed)
        .execute();
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      // The first message that cannot leave says so on the page.
      log.warn({ kind }, 'a destination of news was sealed with a secret that this console does not have');
    }
  }
}
