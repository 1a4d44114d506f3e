import type { Database } from '@homeport/store';
import type { Kysely, Updateable } from 'kysely';
import { z } from 'zod';
import type { StepContext } from '../../operations/definition.ts';
import { findApp, recordAppFacts } from '../../records/app-record.ts';

/** The input that the store keeps for every operation on an existing app. */
export const onAppInput = z.object({ appId: z.uuid(), longname: z.string() });

/** The repository and branch whose pushes deploy an app. */
export const pushedFromSchema = z.object({ repository: z.string(), branch: z.string() });
export type PushedFrom = z.output<typeof pushedFromSchema>;

/** The context of a step that works on one app, whatever else the operation’s input holds. */
export type AppStep = Pick<StepContext<unknown>, 'run' | 'toast' | 'owner'>;
export type OnApp = z.output<typeof onAppInput>;

/** Saves what a step found out about the app. */
export async function recordOnApp(
  db: Kysely<Database>,
  { owner }: Pick<AppStep, 'owner'>,
  appId: string,
  facts: Updateable<Database['apps']>,
): Promise<void> {
  await recordAppFacts(db, owner, await findApp({ owner, db }, appId), facts);
}
