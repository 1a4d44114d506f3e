import { mostInteger } from '@homeport/contract/fields/facts';
import { isOver } from '@homeport/contract/operations/facts';
import type { OperationEvent, OperationLine } from '@homeport/contract/operations/schema';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { notFound } from '../http/problem.ts';
import { findOperation } from './record.ts';

/** A line has at most 4,000 characters, and an event must fit into what a page takes at once. */
const linesPerEvent = 250;
/**
 * A lost notification must not leave a reader waiting, so the rows are read again after this time in any
 * case.
 */
const lookAgainAfterMs = 5_000;

/**
 * Yields an operation from the line after `lastLine` on: first the stored lines, then new ones, until the
 * operation is over. The id of an event is the number of the last line seen, so a reader goes on without a
 * gap or a repeat.
 */
export async function* streamOperation(
  db: Kysely<Database>,
  owner: Owner,
  operationId: string,
  lastLine: number,
  subscribe: (operationId: string, onChange: () => void) => () => void,
  signal: AbortSignal,
): AsyncGenerator<{ id: string; data: OperationEvent }> {
  const bell = createBell(signal);
  const unsubscribe = subscribe(operationId, bell.ring);
  try {
    // A reader may send any number, but the column takes no larger one.
    let seen = Math.min(lastLine, mostInteger);
    let shownState = '';
    while (!signal.aborted) {
      // Read the state before the lines: if the state says that the work is over, all of its lines are in the
      // store.
      const operation = await findOperation(db, owner, operationId);
      if (!operation) throw notFound('operation');
      let lines: OperationLine[];
      do {
        lines = await readLines(db, operationId, seen);
        const last = lines.at(-1);
        if (last) {
          seen = last.seq;
          yield { id: String(seen), data: { type: 'lines', lines } };
        }
      } while (lines.length === linesPerEvent && !signal.aborted);
      const state = JSON.stringify(operation);
      if (state !== shownState) {
        shownState = state;
        yield { id: String(seen), data: { type: 'state', operation } };
      }
      if (isOver(operation.state)) return;
      await bell.next(lookAgainAfterMs);
    }
  } finally {
    unsubscribe();
  }
}

function readLines(db: Kysely<Database>, operationId: string, after: number): Promise<OperationLine[]> {
  return db
    .selectFrom('operation_lines')
    .select(['seq', 'at', 'step', 'stream', 'text'])
    .where('operation_id', '=', operationId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(linesPerEvent)
    .execute();
}

/** Remembers a ring that came while its listener was busy, so that no change is missed. */
function createBell(signal: AbortSignal): { ring: () => void; next: (atMostMs: number) => Promise<void> } {
  let rung = false;
  let wake: (() => void) | null = null;
  const ring = () => {
    rung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async next(atMostMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, atMostMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      rung = false;
    },
  };
}
