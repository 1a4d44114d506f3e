import { type ProposalState, proposableRoutes, proposalLimits } from '@homeport/contract/proposals/facts';
import {
  type Proposal,
  type ProposedCall,
  type proposalSchema,
  proposedCallSchema,
} from '@homeport/contract/proposals/schema';
import { tokenKinds } from '@homeport/contract/tokens/facts';
import type { OwnerRead } from '@homeport/store';
import { sql } from 'kysely';
import { z } from 'zod';
import { notFound, ProblemError } from '../http/problem.ts';

/** One clock for all replicas. */
export const storeNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The state of a proposal `p` whose token is `t`, as far as there is one. */
export const stateNow = sql<ProposalState>`case
  when p.state <> 'open' then p.state
  when t.id is null or t.expires_at <= ${storeNow} then 'revoked'
  when p.expires_at <= ${storeNow} then 'expired'
  else 'open' end`;

/** Whose proposals are asked for: the person's, or those of one of their tokens. */
export type Asked = { token: string | null };

/** Calls that only a newer console knows are left out: that console decides about them. */
const proposals = ({ db, owner }: OwnerRead, { token }: Asked) =>
  db
    .selectFrom('proposals as p')
    .leftJoin('api_tokens as t', 't.id', 'p.program_id')
    .selectAll('p')
    .select(stateNow.as('state_now'))
    .where('p.owner_id', '=', owner)
    .where('p.route', 'in', proposableRoutes)
    .where('p.program_kind', 'in', tokenKinds)
    .$if(token !== null, (query) => query.where('p.program_id', '=', token));

export type ProposalRow = Awaited<ReturnType<typeof listProposals>>[number];

/** The open ones, then the newest. */
export function listProposals(scope: OwnerRead, asked: Asked) {
  return proposals(scope, asked)
    .orderBy(sql`${stateNow} = 'open'`, 'desc')
    .orderBy('p.number', 'desc')
    .limit(proposalLimits.listed)
    .execute();
}

/** @throws ProblemError `not_found` for one that is not the person's, or not the token's */
export async function findProposal(scope: OwnerRead, id: string, asked: Asked): Promise<ProposalRow> {
  const row = await proposals(scope, asked).where('p.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('proposal');
  return row;
}

/**
 * The call of a row. The JSON of the store is checked like any other input.
 *
 * @throws ProblemError `conflict` for a call whose input another version of the console took
 */
export function callOf({ route, params, body }: ProposalRow): ProposedCall {
  const call = proposedCallSchema.safeParse({ route, params, ...(body !== null && { body }) });
  if (call.success) return call.data;
  throw new ProblemError(
    'conflict',
    'This was proposed to another version of the console, and this one would not take it. Nothing was changed.',
  );
}

const ofAppSchema = z.object({ id: z.string() });

export function toProposal(row: ProposalRow, publicUrl: string): Proposal {
  return {
    id: row.id,
    state: row.state_now,
    title: row.title,
    route: z.enum(proposableRoutes).parse(row.route),
    appId: ofAppSchema.parse(row.params).id,
    appName: row.app_name,
    serverName: row.server_name,
    why: row.why,
    program: {
      kind: z.enum(tokenKinds).parse(row.program_kind),
      name: row.program_name,
      lastFour: row.last_four,
      since: row.program_since,
    },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    operationId: row.operation_id,
    approveAt: new URL(`/approve/${row.id}`, publicUrl).href,
  } satisfies z.output<typeof proposalSchema>;
}

const endings: Record<Exclude<ProposalState, 'open'>, string> = {
  run: 'This was approved already, and runs once only.',
  declined: 'This was declined already.',
  withdrawn: 'The program took this back, or proposed it anew.',
  expired: 'This was proposed more than an hour ago, and cannot be approved any more.',
  revoked: 'The token that proposed this was revoked or has expired.',
};

/** @throws ProblemError `conflict` for a proposal about which nobody can decide any more */
export function refuseOver(state: ProposalState): void {
  if (state !== 'open') throw new ProblemError('conflict', `${endings[state]} Nothing was changed.`);
}
