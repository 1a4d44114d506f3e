import { z } from 'zod';
import { boundedText, trimmedText } from '../fields/bounded-text.ts';
import { nameCharacters } from '../fields/facts.ts';
import {
  epochMsSchema,
  idSchema,
  nameSchema,
  shownText,
  storableText,
  versionSchema,
} from '../fields/schema.ts';
import { withoutHidden } from '../fields/shown-text.ts';
import type { RouteTable } from '../route.ts';
import { incidentStates, isReserved, isSlug, postKinds, statusPageLimits } from './facts.ts';

const { least, most } = statusPageLimits.slugCharacters;

/** The word of a page's address: `/status/{slug}`. Its person chooses it; it says nothing of apps or servers. */
export const slugSchema = trimmedText(most, `An address has at most ${most} characters.`)
  .min(least, `An address has at least ${least} characters.`)
  .refine(isSlug, 'Use lower-case letters, digits and single hyphens between them.')
  .refine((slug) => !isReserved(slug), 'This address is reserved. Choose another one.');

const titleSchema = shownText(statusPageLimits.titleCharacters, 'A title').min(1, 'Enter a title.');

/** Paragraphs of plain text. Line breaks stay; what a reader would not see is refused. */
const textSchema = trimmedText(
  statusPageLimits.textCharacters,
  `Use at most ${statusPageLimits.textCharacters} characters.`,
)
  .min(1, 'Enter what readers should know.')
  .overwrite((text) => text.replaceAll('\r\n', '\n'))
  .refine(
    (text) => withoutHidden(text) === text,
    'A text cannot hold control characters or invisible characters.',
  );

/** What visitors see of an app that is checked, or of a proxied domain. */
const componentSchema = z.strictObject({
  kind: z.enum(['app', 'proxy']),
  /** The id of the app or proxy. Visitors never see it. */
  target: idSchema,
  name: nameSchema,
  /** Empty for a component that stands before the groups. */
  group: shownText(nameCharacters, 'A group'),
});
export type StatusComponent = z.output<typeof componentSchema>;

const componentsSchema = z
  .array(componentSchema)
  .max(statusPageLimits.components, `A page has at most ${statusPageLimits.components} components.`)
  .refine(
    (all) => new Set(all.map(({ target }) => target)).size === all.length,
    'An app or a domain stands on a page once.',
  );

const updateSchema = z.object({
  id: idSchema,
  /** Null for news of a maintenance. */
  state: z.enum(incidentStates).nullable(),
  text: z.string(),
  at: epochMsSchema,
});

const postSchema = z.object({
  id: idSchema,
  kind: z.enum(postKinds),
  title: z.string(),
  createdAt: epochMsSchema,
  /** Of a maintenance. */
  startsAt: epochMsSchema.nullable(),
  endsAt: epochMsSchema.nullable(),
  /** The apps and proxies that a maintenance concerns; empty for all of the page. */
  affects: z.array(idSchema),
  /** The newest first. */
  updates: z.array(updateSchema),
});
export type StatusPost = z.output<typeof postSchema>;

const shortPageSchema = z
  .object({
    id: idSchema,
    slug: z.string(),
    title: z.string(),
    published: z.boolean(),
    /** Why the operator of the console took the page down; null: nobody did. It cannot be published meanwhile. */
    takenDown: z.string().nullable(),
    version: versionSchema,
    createdAt: epochMsSchema,
  })
  .meta({ id: 'StatusPageInList' });

export const statusPageSchema = shortPageSchema
  .extend({
    components: z.array(componentSchema),
    /** The newest first. */
    posts: z.array(postSchema),
  })
  .meta({ id: 'StatusPage' });
export type StatusPage = z.output<typeof statusPageSchema>;

/** A page as the operator of the console sees it. */
const operatedPageSchema = shortPageSchema
  .pick({ id: true, slug: true, title: true, published: true, takenDown: true })
  .extend({ /** The e-mail address of whoever wrote it. */ person: z.string() })
  .meta({ id: 'OperatedStatusPage' });
export type OperatedStatusPage = z.output<typeof operatedPageSchema>;

const wrongMoment = 'Enter a time in UTC as 2026-11-27T22:00:00.000Z.';

/** A moment as text, which becomes epoch milliseconds. */
const momentSchema = boundedText(24, wrongMoment)
  .regex(/^2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$/, {
    ...{ error: wrongMoment, abort: true },
  })
  .transform((text) => Date.parse(text))
  .refine((at) => !Number.isNaN(at), wrongMoment);

const byId = z.object({ id: idSchema });
const stateSchema = z.enum(incidentStates).optional();

export const statusPageRoutes = {
  'GET /api/status-pages': {
    access: 'signed-in',
    summary: 'The person’s public status pages, without what stands on them',
    reply: z.object({
      /** Whether this console serves such pages. */
      served: z.boolean(),
      pages: z.array(shortPageSchema),
    }),
  },
  'GET /api/status-pages/:id': {
    access: 'signed-in',
    summary: 'A status page with its components, incidents and maintenances',
    params: byId,
    reply: statusPageSchema,
  },
  'POST /api/status-pages': {
    access: 'signed-in',
    summary: 'Make a status page; nobody sees it before it is published',
    body: z.strictObject({ slug: slugSchema, title: titleSchema }),
    reply: statusPageSchema,
    status: 201,
  },
  'PATCH /api/status-pages/:id': {
    access: 'signed-in',
    summary: 'Change the address, title or components of a status page, publish it or hide it',
    params: byId,
    body: z.strictObject({
      version: versionSchema,
      slug: slugSchema.optional(),
      title: titleSchema.optional(),
      published: z.boolean().optional(),
      components: componentsSchema.optional(),
    }),
    reply: statusPageSchema,
  },
  'DELETE /api/status-pages/:id': {
    access: 'signed-in',
    summary: 'Delete a status page with its incidents and maintenances',
    params: byId,
    reply: z.object({ removed: z.literal(true) }),
  },
  'POST /api/status-pages/:id/posts': {
    access: 'signed-in',
    summary: 'Write of an incident, or announce a maintenance',
    params: byId,
    body: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('incident'),
        title: titleSchema,
        state: z.enum(incidentStates),
        text: textSchema,
      }),
      z.strictObject({
        kind: z.literal('maintenance'),
        title: titleSchema,
        text: textSchema,
        startsAt: momentSchema,
        endsAt: momentSchema,
        /** Apps and proxies of the page; none for all of them. */
        affects: z.array(idSchema).max(statusPageLimits.components).default([]),
      }),
    ]),
    reply: statusPageSchema,
    status: 201,
  },
  'POST /api/status-pages/:id/updates': {
    access: 'signed-in',
    summary: 'Write an update of an incident or a maintenance',
    params: byId,
    body: z.strictObject({
      postId: idSchema,
      /** Needed for an incident; a maintenance has its times in place of a state. */
      state: stateSchema,
      text: textSchema,
    }),
    reply: statusPageSchema,
    status: 201,
  },
  'POST /api/status-pages/:id/remove-post': {
    access: 'signed-in',
    summary: 'Remove an incident or a maintenance with its updates',
    params: byId,
    body: z.strictObject({ postId: idSchema }),
    reply: statusPageSchema,
  },
  'GET /api/console/status-pages': {
    access: 'owner',
    summary: 'The published status pages of all people, and those that were taken down',
    query: z.object({
      /** A part of the address or the title. */
      search: storableText(statusPageLimits.titleCharacters).optional(),
    }),
    reply: z.object({
      /** Whether this console serves such pages now. */
      served: z.boolean(),
      /** Published ones first, the newest of them at the top. */
      pages: z.array(operatedPageSchema),
      /** There are more than the list holds. */
      more: z.boolean(),
    }),
  },
  'PUT /api/console/status-pages/:id/taken-down': {
    access: 'owner',
    summary: 'Take a status page down, with a reason for its person; with null, allow it again',
    params: byId,
    body: z.strictObject({
      reason: shownText(statusPageLimits.reasonCharacters, 'A reason')
        .min(1, 'Enter a reason. The person who wrote the page reads it.')
        .nullable(),
    }),
    reply: operatedPageSchema,
  },
} as const satisfies RouteTable;
