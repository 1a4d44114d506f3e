import { z } from 'zod';
import { idSchema, storableText } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import { type SiteField, siteFields, siteValueCharacters, siteValueProblem } from './facts.ts';

const valueSchema = z.object({
  /** What is set for the app, as Dokku keeps it; null: nothing. */
  set: z.string().nullable(),
  /** What holds where nothing is set for the app: the value of the server, or Dokku’s own. */
  otherwise: z.string(),
});

/** How nginx serves an app, as far as the page changes it. */
export const siteSchema = z
  .object({
    ...({
      uploadLimit: valueSchema,
      answerTimeout: valueSchema,
      hsts: valueSchema,
      hstsSeconds: valueSchema,
      hstsSubdomains: valueSchema,
    } satisfies Record<SiteField, typeof valueSchema>),
    /** The app’s repository has its own template of nginx’s configuration, which Dokku uses. Null: not told. */
    ownTemplate: z.boolean().nullable(),
  })
  .meta({ id: 'Site' });
export type Site = z.output<typeof siteSchema>;

/** `from` is what the page showed. If the server holds something else by now, nothing is changed. Null: nothing is set for the app. */
const siteChangeSchema = z
  .strictObject({
    field: z.enum(siteFields),
    from: storableText(siteValueCharacters).nullable(),
    to: storableText(siteValueCharacters).nullable(),
  })
  .superRefine(({ field, to }, context) => {
    const problem = to === null ? null : siteValueProblem(field, to);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: ['to'] });
  });

/** Without a change, what is set on the server is built: somebody may have set it there by hand. */
export const siteChangesSchema = z.strictObject({
  changes: z
    .array(siteChangeSchema)
    .max(siteFields.length)
    .refine(
      (changes) => new Set(changes.map(({ field }) => field)).size === changes.length,
      'Name each value once.',
    ),
});

export const siteRoutes = {
  'POST /api/apps/:id/site': {
    access: 'signed-in',
    summary:
      'Set the largest upload, the wait for an answer and HSTS, or nothing, and rebuild nginx’s configuration; restarts nothing',
    params: z.object({ id: idSchema }),
    body: siteChangesSchema,
    reply: operationSchema,
    status: 202,
  },
} as const satisfies RouteTable;
