import { setImmediate as soon } from 'node:timers/promises';
import type { OperationStep } from '@homeport/contract/operations/schema';
import type { Database, Owner } from '@homeport/store';
import type { Kysely, Updateable } from 'kysely';
import { told } from './told.ts';

type Change = Updateable<Database['operations']>;

export type OperationSaver = {
  /**
   * Stores a change soon, together with others, and resolves when it is stored. A failed change is tried
   * again with the next one.
   */
  save(change: Change): Promise<void>;
  /** Resolves when every change is stored. */
  settled(): Promise<void>;
};

/**
 * Writes an operation’s row while it runs. Callers wait only if they need to. Changes that come together, or
 * while the store is busy with an earlier one, go into one statement, which also notifies the readers.
 */
export function openSaver(
  db: Kysely<Database>,
  owner: Owner,
  id: string,
  steps: readonly OperationStep[],
): OperationSaver {
  let pending: Change | null = null;
  let next: Promise<void> | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = async (change: Change) => {
    const isListed = change.state || change.server_id !== undefined || change.app_id !== undefined;
    await db
      .with('saved', (qb) =>
        qb
          .updateTable('operations')
          .set({ ...change, steps: JSON.stringify(steps) })
          .where('id', '=', id)
          .where('owner_id', '=', owner)
          .returning('id'),
      )
      .selectNoFrom([
        told('operation', { owner, operation: id }).as('operation'),
        ...(isListed ? [told('changed', { owner, topic: 'operations', id }).as('changed')] : []),
      ])
      .execute();
  };

  const writeNext = async () => {
    await Promise.allSettled([writing, soon()]);
    const change = pending ?? {};
    pending = null;
    next = null;
    writing = write(change).catch((error: unknown) => {
      pending = { ...change, ...pending };
      throw error;
    });
    await writing;
  };

  return {
    save(change) {
      pending = { ...pending, ...change };
      next ??= writeNext();
      return next;
    },
    async settled() {
      await (next ?? (pending ? this.save({}) : writing));
    },
  };
}
