import { z } from 'zod';
import { processRoutes, scaleSchema } from '../apps/processes/schema.ts';
import { appSettingsRoutes } from '../apps/settings-schema.ts';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, shownText } from '../fields/schema.ts';
import { operationSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import { tokenKinds } from '../tokens/facts.ts';
import { type ProposableRoute, proposableRoutes, proposalLimits, proposalStates } from './facts.ts';

// In one spelling, so that the same call is the same proposal.
const params = z.strictObject({ id: idSchema.toLowerCase() });
const route = <R extends ProposableRoute>(key: R) => z.literal(key);

/** A call of the route table, with the input that the route itself takes. */
export const proposedCallSchema = z.discriminatedUnion('route', [
  z.strictObject({ route: route('POST /api/apps/:id/start'), params }),
  z.strictObject({ route: route('POST /api/apps/:id/stop'), params }),
  z.strictObject({ route: route('POST /api/apps/:id/restart'), params }),
  z.strictObject({
    route: route('POST /api/apps/:id/plan'),
    params,
    body: appSettingsRoutes['POST /api/apps/:id/plan'].body,
  }),
  z.strictObject({
    route: route('POST /api/apps/:id/scale'),
    params,
    // With several types the commands depend on which of the numbers the server keeps already.
    body: scaleSchema
      .refine(({ processes }) => processes.length === 1, {
        path: ['processes'],
        error: 'Propose the number of one process.',
      })
      .refine(({ start }) => !start, {
        path: ['start'],
        error: 'Propose the start of the app by itself: it starts all of its processes.',
      }),
  }),
  z.strictObject({
    route: route('POST /api/apps/:id/processes/restart'),
    params,
    body: processRoutes['POST /api/apps/:id/processes/restart'].body,
  }),
  z.strictObject({
    route: route('POST /api/apps/:id/domains'),
    params,
    body: appSettingsRoutes['POST /api/apps/:id/domains'].body,
  }),
]);
export type ProposedCall = z.output<typeof proposedCallSchema>;

export const proposalSchema = z
  .object({
    id: idSchema,
    state: z.enum(proposalStates),
    /** What would run, in words: “Restart”. */
    title: z.string(),
    route: z.enum(proposableRoutes),
    appId: idSchema,
    /** The names of when it was proposed. */
    appName: z.string(),
    serverName: z.string(),
    /** The program's own words. A stranger may have put them there. */
    why: z.string(),
    program: z.object({
      kind: z.enum(tokenKinds),
      name: z.string(),
      lastFour: z.string(),
      /** When the token was made. */
      since: epochMsSchema,
    }),
    createdAt: epochMsSchema,
    expiresAt: epochMsSchema,
    /** When somebody decided; null for one that is open, expired or revoked. */
    endedAt: epochMsSchema.nullable(),
    /** The work that the approval began. */
    operationId: idSchema.nullable(),
    /** The page where its person decides. */
    approveAt: z.string(),
  })
  .meta({ id: 'Proposal' });
export type Proposal = z.output<typeof proposalSchema>;

export const proposedCommandSchema = z.object({
  /** The user on the server as whom the command runs. */
  account: z.string(),
  command: z.string(),
  /** When it runs, in words that follow “if”; null: always. */
  onlyIf: z.string().nullable(),
});
export type ProposedCommand = z.output<typeof proposedCommandSchema>;

/** One proposal, with what an approval would run now. */
export const openProposalSchema = proposalSchema
  .extend({
    /** Every command that changes something. Empty for a proposal that cannot be approved. */
    commands: z.array(proposedCommandSchema),
    /** Why an open proposal cannot be approved any more: what it concerns has changed. null: nothing changed. */
    changed: z.string().nullable(),
    /** Stands for the call, its commands and the app as it was. An approval names it. */
    digest: z.string(),
  })
  .meta({ id: 'OpenProposal' });
export type OpenProposal = z.output<typeof openProposalSchema>;

const marksInARow = 3;
const isMark = (character: string) => /\p{M}/u.test(character);
const isWritten = (character: string) => /[\p{L}\p{N}]/u.test(character);

/** Join letters and marks, so that what follows belongs to the same letter. */
const joiners = new Set(['\u200c', '\u200d']);

/** Marks that stack upwards would paint over what stands above them. */
function stacksMarks(text: string): boolean {
  let marks = 0;
  for (const character of text) {
    if (joiners.has(character)) continue;
    marks = isMark(character) ? marks + 1 : 0;
    if (marks > marksInARow) return true;
  }
  return false;
}

const whySchema = shownText(proposalLimits.whyCharacters, 'A reason')
  .min(1, 'Say why, for the person.')
  .refine((text) => [...text].some(isWritten), 'Say why in words, for the person.')
  .refine((text) => !stacksMarks(text), 'A reason cannot stack marks on a letter.');

const chosen = { params: z.object({ id: idSchema }) };

export const proposalRoutes = {
  'GET /api/proposals': {
    access: 'signed-in',
    summary: 'What programs proposed, the open ones first; a token sees its own',
    reply: z.array(proposalSchema),
  },
  'POST /api/proposals': {
    access: 'signed-in',
    summary: 'Propose a call, which runs nothing: the person approves it on the page that the answer names',
    body: z.strictObject({
      call: proposedCallSchema,
      why: whySchema,
    }),
    reply: openProposalSchema,
    status: 201,
  },
  'GET /api/proposals/:id': {
    access: 'signed-in',
    summary: 'One proposal, with the commands that it would run; a token sees its own',
    ...chosen,
    reply: openProposalSchema,
  },
  'POST /api/proposals/:id/approve': {
    access: 'signed-in',
    summary:
      'Run what was proposed as an own call; refused if the app, the input or the commands are not those that were shown',
    ...chosen,
    body: z.strictObject({
      digest: boundedText(64).regex(/^[0-9a-f]{64}$/, 'Send the digest of the proposal that was shown.'),
    }),
    reply: operationSchema,
    status: 202,
  },
  'POST /api/proposals/:id/decline': {
    access: 'signed-in',
    summary: 'Refuse a proposal',
    ...chosen,
    reply: proposalSchema,
  },
  'POST /api/proposals/:id/withdraw': {
    access: 'signed-in',
    summary: 'Take back what the same token proposed',
    ...chosen,
    reply: proposalSchema,
  },
} as const satisfies RouteTable;
