import type { Operation } from '@homeport/contract/operations/schema';
import { type OwnerWrite, ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { StartRequest } from '../operations/add-operation.ts';
import { type Calling, callRoute, changedSince, describeCall, type ProposalDeps } from './plan-call.ts';
import { callOf, findProposal, type ProposalRow, refuseOver, storeNow } from './proposal-record.ts';

type Approval = { id: string; digest: string };

/**
 * Calls the proposed route for the person who approves: with their session, and over their connections. The transaction that adds the
 * operation takes the proposal, so of two approvals one runs, and a console that ends in between leaves both or neither.
 *
 * @throws ProblemError `conflict` for a proposal that is over, `stale_edit` where something is not as it was shown, and as the route does
 */
export async function approve(
  { store, engine, definitions, handlersOver }: ProposalDeps,
  calling: Calling,
  approval: Approval,
): Promise<Operation> {
  const { session } = calling;
  const owner = ownerFromSession(session.userId);
  const row = await store.read(owner, (scope) => findProposal(scope, approval.id, { token: null }));
  refuseOver(row.state_now);
  const call = callOf(row);
  const start = (request: StartRequest) =>
    engine.start({
      ...request,
      async admit(scope) {
        await holdSession(scope, session.sessionId);
        const held = await holdProposal(scope, approval.id);
        const plan = await describeCall(scope, definitions, { call: callOf(held), request });
        if (plan.fingerprint !== held.fingerprint || approval.digest !== held.fingerprint)
          throw changedSince();
        await request.admit?.(scope);
      },
      async added(scope, operationId) {
        await request.added?.(scope, operationId);
        await keepRun(scope, approval.id, operationId);
      },
    });
  return callRoute(handlersOver({ ...engine, start }), calling, call);
}

type Scope = Pick<OwnerWrite, 'db' | 'owner'>;

/**
 * The proposal, about which nobody else decides and whose token nobody revokes before this transaction ends. The token comes first, because
 * a revocation has the token when it takes the token from its proposals.
 */
async function holdProposal(scope: Scope, id: string): Promise<ProposalRow> {
  const { db, owner } = scope;
  const found = await findProposal(scope, id, { token: null });
  if (found.program_id !== null)
    await db.selectFrom('api_tokens').select('id').where('id', '=', found.program_id).forKeyShare().execute();
  await db
    .selectFrom('proposals')
    .select('id')
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  // In a statement of its own, which sees what those before committed.
  const row = await findProposal(scope, id, { token: null });
  refuseOver(row.state_now);
  return row;
}

async function keepRun({ db, owner }: Scope, id: string, operationId: string): Promise<void> {
  await db
    .updateTable('proposals')
    .set({ state: 'run', operation_id: operationId, ended_at: storeNow })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .execute();
  await notifyChange(db, owner, 'proposals', id);
}
