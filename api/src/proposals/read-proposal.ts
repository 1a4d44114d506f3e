import type { OpenProposal } from '@homeport/contract/proposals/schema';
import { ownerFromSession } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { type Calling, type CallPlan, changedSince, type ProposalDeps, planCall } from './plan-call.ts';
import { type Asked, callOf, findProposal, type ProposalRow, toProposal } from './proposal-record.ts';

/** A proposal with what its approval would run now. */
export async function readProposal(
  deps: ProposalDeps,
  calling: Calling,
  { id, asked }: { id: string; asked: Asked },
): Promise<OpenProposal> {
  const owner = ownerFromSession(calling.session.userId);
  const row = await deps.store.read(owner, (scope) => findProposal(scope, id, asked));
  const { plan, changed } = await planOf(deps, calling, row);
  return {
    ...toProposal(row, deps.publicUrl),
    commands: [...(plan?.commands ?? [])],
    ...{ changed, digest: row.fingerprint },
  };
}

type Planned = { plan: CallPlan | null; changed: string | null };

/** The plan of an open proposal while it is the one that was proposed, or why it is not. */
async function planOf(deps: ProposalDeps, calling: Calling, row: ProposalRow): Promise<Planned> {
  if (row.state_now !== 'open') return { plan: null, changed: null };
  try {
    const plan = await planCall(deps, calling, callOf(row));
    if (plan.fingerprint === row.fingerprint) return { plan, changed: null };
    return { plan: null, changed: changedSince().message };
  } catch (error) {
    // The route itself would refuse the call by now.
    if (error instanceof ProblemError && error.status < 500) return { plan: null, changed: error.message };
    throw error;
  }
}
