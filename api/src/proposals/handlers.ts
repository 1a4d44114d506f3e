import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { approve } from './approve.ts';
import { endProposal } from './end-proposal.ts';
import type { ProposalDeps } from './plan-call.ts';
import { type Asked, findProposal, listProposals, toProposal } from './proposal-record.ts';
import { programOf, propose } from './propose.ts';
import { readProposal } from './read-proposal.ts';

/** What programs propose, and what their person decides. */
export function proposalHandlers(deps: ProposalDeps) {
  const { store, publicUrl } = deps;
  const ended = async (session: SessionIdentity, id: string, as: 'declined' | 'withdrawn') => {
    const owner = ownerFromSession(session.userId);
    const asked = askedBy(session);
    await endProposal(deps, owner, { id, asked, as });
    return store.read(owner, async (scope) => toProposal(await findProposal(scope, id, asked), publicUrl));
  };
  return {
    'GET /api/proposals': ({ session }) =>
      store.read(ownerFromSession(session.userId), async (scope) =>
        (await listProposals(scope, askedBy(session))).map((row) => toProposal(row, publicUrl)),
      ),
    'POST /api/proposals': async ({ body, ...calling }) => {
      const id = await propose(deps, calling, body);
      return readProposal(deps, calling, { id, asked: askedBy(calling.session) });
    },
    'GET /api/proposals/:id': ({ params, ...calling }) =>
      readProposal(deps, calling, { id: params.id, asked: askedBy(calling.session) }),
    'POST /api/proposals/:id/approve': ({ params, body, ...calling }) =>
      approve(deps, calling, { id: params.id, digest: body.digest }),
    'POST /api/proposals/:id/decline': ({ session, params }) => ended(session, params.id, 'declined'),
    'POST /api/proposals/:id/withdraw': async ({ session, params }) => {
      const owner = ownerFromSession(session.userId);
      // Another person's is not there, whoever asks.
      await store.read(owner, (scope) => findProposal(scope, params.id, askedBy(session)));
      programOf(session);
      return ended(session, params.id, 'withdrawn');
    },
  } satisfies Partial<Handlers>;
}

/** A token sees what itself proposed. */
const askedBy = ({ scopes, sessionId }: SessionIdentity): Asked => ({
  token: scopes === undefined ? null : sessionId,
});
