import { z } from 'zod';
import { epochMsSchema, idSchema, nameSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { kindsOfForm, scopesForKind, type TokenKind, tokenDays, tokenKinds, tokenScopes } from './facts.ts';

const scopesSchema = z.array(z.enum(tokenScopes)).min(1, 'Choose at least one area.').max(tokenScopes.length);

export const apiTokenSchema = z
  .object({
    id: idSchema,
    kind: z.enum(tokenKinds),
    name: z.string(),
    /** The last four characters, by which its person knows the token again. */
    lastFour: z.string(),
    scopes: z.array(z.string()),
    createdAt: epochMsSchema,
    expiresAt: epochMsSchema,
    /** Known to a minute; null for a token that nobody has used. */
    lastUsedAt: epochMsSchema.nullable(),
    /** From where, at that time. */
    lastUsedFrom: z.object({ address: z.string(), place: z.string() }).nullable(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.output<typeof apiTokenSchema>;

const beyondKind = {
  program: 'A program writes what it may change, and proposes nothing. Choose to read or to write.',
  agent: 'A coding agent writes nothing. Choose to read or to propose.',
} satisfies Partial<Record<TokenKind, string>>;

export const makeTokenSchema = z
  .strictObject({
    kind: z.enum(kindsOfForm, 'Choose a program or a coding agent.').default('program'),
    name: nameSchema,
    scopes: scopesSchema,
    days: z
      .number()
      .int()
      .min(tokenDays.least, `A token lives for at least ${tokenDays.least} day.`)
      .max(tokenDays.most, `A token lives for at most ${tokenDays.most} days.`),
  })
  .refine(({ kind, scopes }) => scopesForKind(kind, scopes).every((scope, at) => scope === scopes[at]), {
    path: ['scopes'],
    error: ({ input }) => beyondKind[(input as { kind: keyof typeof beyondKind }).kind],
  });
export type MakeToken = z.output<typeof makeTokenSchema>;

export const tokenRoutes = {
  'GET /api/tokens': {
    access: 'signed-in',
    summary: 'The person’s API tokens, the newest first; never the tokens themselves',
    reply: z.array(apiTokenSchema),
  },
  'POST /api/tokens': {
    access: 'signed-in',
    confirm: true,
    summary: 'Make an API token, which only this answer holds',
    body: makeTokenSchema,
    reply: z.object({ token: z.string(), record: apiTokenSchema }),
    status: 201,
  },
  'POST /api/tokens/revoke-all': {
    access: 'signed-in',
    confirm: true,
    summary:
      'Revoke every API token of the person; their streams end, and a terminal that was approved gets none',
    reply: z.object({ revoked: z.number().int() }),
  },
  'DELETE /api/tokens/:id': {
    access: 'signed-in',
    summary: 'Revoke an API token; its streams end',
    params: z.object({ id: idSchema }),
    reply: z.object({ revoked: z.literal(true) }),
  },
} as const satisfies RouteTable;
