import { type Database, type Owner, ownerFromSession } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { Handlers } from '../http/handlers.ts';
import { notFound } from '../http/problem.ts';
import type { OperationEngine } from './engine.ts';
import { findOperation, lastLines, listOperations, listRanCommands } from './record.ts';
import { streamOperation } from './stream.ts';

type Deps = {
  db: Kysely<Database>;
  engine: OperationEngine;
  subscribe(operationId: string, onChange: () => void): () => void;
};

type Handled =
  | 'GET /api/operations'
  | 'GET /api/operations/:id'
  | 'GET /api/operations/:id/events'
  | 'GET /api/operations/:id/log'
  | 'GET /api/operations/:id/commands'
  | 'POST /api/operations/:id/cancel'
  | 'POST /api/operations/:id/continue'
  | 'POST /api/operations/:id/retry';

export function operationHandlers({ db, engine, subscribe }: Deps): Pick<Handlers, Handled> {
  const found = async (owner: Owner, id: string) => {
    const operation = await findOperation(db, owner, id);
    if (!operation) throw notFound('operation');
    return operation;
  };
  return {
    'GET /api/operations': ({ session, query }) =>
      listOperations(db, ownerFromSession(session.userId), query),
    'GET /api/operations/:id': ({ session, params }) => found(ownerFromSession(session.userId), params.id),
    'GET /api/operations/:id/events': ({ session, params, lastEventId, signal }) =>
      streamOperation(
        db,
        ownerFromSession(session.userId),
        params.id,
        lineNumber(lastEventId),
        subscribe,
        signal,
      ),
    'GET /api/operations/:id/log': async ({ session, params, query }) => {
      await found(ownerFromSession(session.userId), params.id);
      return lastLines(db, params.id, query);
    },
    'GET /api/operations/:id/commands': async ({ session, params }) => {
      await found(ownerFromSession(session.userId), params.id);
      return listRanCommands(db, params.id);
    },
    'POST /api/operations/:id/cancel': ({ session, params }) =>
      engine.cancel(ownerFromSession(session.userId), params.id),
    'POST /api/operations/:id/continue': ({ session, params }) =>
      engine.continueOver(ownerFromSession(session.userId), session.sessionId, params.id),
    'POST /api/operations/:id/retry': ({ session, params }) =>
      engine.retry(ownerFromSession(session.userId), session.sessionId, params.id),
  };
}

/** Reads `Last-Event-ID` as a browser sends it back. Any other text begins at the first line. */
function lineNumber(lastEventId: string | null): number {
  const number = Number(lastEventId ?? '');
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
