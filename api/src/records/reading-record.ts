import { type ReadingPart, readingParts } from '@homeport/contract/apps/facts';
import { type Known, knownSchema } from '@homeport/contract/apps/settings-schema';
import type { Database, Owner, OwnerRead } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { notifyChange } from '../live/notify-change.ts';

/** As much as an answer of a server that all of a part comes from. A server could tell more by naming one thing many times. */
const partCharacters = 1024 * 1024;

/** What a server tells of an app, by part. */
export type Told = { [P in ReadingPart]: NonNullable<Known[P]>['told'] };

/**
 * Keeps what a server told of an app, in place of the earlier readings of these parts, and tells pages. The
 * app’s record is held meanwhile, because a record that is deleted takes its readings along. A part that is larger than any answer is not
 * kept.
 */
export async function keepReadings(
  db: Kysely<Database>,
  owner: Owner,
  appId: string,
  told: Partial<Told>,
): Promise<void> {
  const readAt = Date.now();
  const rows = readingParts.flatMap((part) => {
    if (told[part] === undefined) return [];
    const text = JSON.stringify(told[part]);
    return text.length > partCharacters
      ? []
      : { app_id: appId, owner_id: owner, part, told: text, read_at: readAt };
  });
  if (rows.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    const app = await transaction
      .selectFrom('apps')
      .select('id')
      .where('owner_id', '=', owner)
      .where('id', '=', appId)
      .forKeyShare()
      .executeTakeFirst();
    if (!app) return;
    await transaction
      .insertInto('readings')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['app_id', 'part']).doUpdateSet((row) => ({
          told: row.ref('excluded.told'),
          read_at: row.ref('excluded.read_at'),
        })),
      )
      .execute();
    await notifyChange(transaction, owner, 'readings', appId);
  });
}

/** Takes a reading away that a change may have made untrue, and tells pages. */
export async function forgetReading(
  db: Kysely<Database>,
  owner: Owner,
  appId: string,
  part: ReadingPart,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('readings')
      .where('owner_id', '=', owner)
      .where('app_id', '=', appId)
      .where('part', '=', part)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await notifyChange(transaction, owner, 'readings', appId);
  });
}

/** What is kept of an app. A part that an earlier console kept in another form counts as not read. */
export async function readKnown({ owner, db }: OwnerRead, appId: string): Promise<Known> {
  const rows = await db
    .selectFrom('readings')
    .select(['part', 'told', 'read_at'])
    .where('owner_id', '=', owner)
    .where('app_id', '=', appId)
    .execute();
  const kept = new Map(
    rows.map(({ part, told, read_at }) => [part, { told: JSON.parse(told), readAt: read_at }]),
  );
  const { deploys, resources, system, storage, readme, processes, pushers } = knownSchema.shape;
  return {
    deploys: readAs(deploys, kept.get('deploys')),
    resources: readAs(resources, kept.get('resources')),
    system: readAs(system, kept.get('system')),
    storage: readAs(storage, kept.get('storage')),
    readme: readAs(readme, kept.get('readme')),
    processes: readAs(processes, kept.get('processes')),
    pushers: readAs(pushers, kept.get('pushers')),
  };
}

const readAs = <T>(schema: z.ZodType<T>, kept: unknown): T | null => schema.safeParse(kept).data ?? null;
