import { z } from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { epochMsSchema, idSchema } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';

/** Dokku's name for its record of a deploy, which is the name of the release that was deployed then. */
export const releaseSchema = z.strictObject({
  release: boundedText(32).regex(/^[a-z0-9]+$/, 'A release is named in lowercase letters and digits.'),
});

export const commitSchema = z.object({
  sha: z.string(),
  /** The first line of its message; null: the server does not have the commit any more. */
  title: z.string().nullable(),
  author: z.string().nullable(),
});

/** A version that served and that the server keeps. */
export const keptReleaseSchema = z
  .object({
    /** Dokku's name for its record of the deploy. The record may be gone. */
    id: z.string(),
    /** Null: an image or an archive. */
    commit: commitSchema.nullable(),
    keptAt: epochMsSchema,
    /** Of the image, with the layers that it shares with other versions. */
    bytes: z.number().int().nullable(),
    /** Every process runs it. */
    serving: z.boolean(),
    /** The image holds the values of variables of then. */
    holdsVariables: z.boolean(),
  })
  .meta({ id: 'KeptRelease' });
export type KeptRelease = z.output<typeof keptReleaseSchema>;

export const releasesSchema = z.object({
  /** Newest first. */
  kept: z.array(keptReleaseSchema),
  /** False: Docker did not say which images it has. */
  known: z.boolean(),
  /** The release that a going-back was to serve which was cut off on the server. */
  cutOff: z.string().nullable(),
});
export type Releases = z.output<typeof releasesSchema>;

const onApp = {
  params: z.object({ id: idSchema }),
  body: releaseSchema,
  reply: operationSchema,
  status: 202,
} as const;

export const releaseRoutes = {
  'POST /api/apps/:id/releases/go-back': {
    access: 'signed-in',
    summary:
      'Let a release that the server keeps serve again, without a build. Where it does not start, what served before goes on',
    ...onApp,
  },
  'POST /api/apps/:id/releases/remove': {
    access: 'signed-in',
    summary: 'Remove a release that the server keeps. The version that serves goes on',
    ...onApp,
  },
} as const satisfies RouteTable;
