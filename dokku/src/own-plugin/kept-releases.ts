import { z } from 'zod';
import { type ReleaseId, releaseIdSchema } from './releases.ts';

// What Homeport's plugin tells of the releases that a server keeps.

export type KeptRelease = {
  readonly id: ReleaseId;
  /** Null where Dokku did not tell it: an image, or an archive. */
  readonly commit: string | null;
  readonly author: string;
  /** The first line of the commit's message. */
  readonly title: string;
  readonly keptAt: number;
  /** Of the image, with the layers that it shares. */
  readonly bytes: number | null;
  /** The ids of its images that served: each release step of Dokku makes another one. */
  readonly images: readonly string[];
  /** The image holds the variables of the time in which it was built. */
  readonly holdsVariables: boolean;
};

/** A line of a commit, as somebody on the server wrote it. */
export const lineOfMessage = z.string().transform((text) => text.slice(0, 200));

export const keptSchema = z.object({
  keptOf: z.string(),
  release: releaseIdSchema,
  commit: z.union([z.literal(''), z.string().regex(/^[0-9a-f]{40,64}$/)]),
  images: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)).max(20),
  builder: z.string(),
  author: lineOfMessage,
  title: lineOfMessage,
  atSeconds: z.number().int().nonnegative().max(9_999_999_999),
  bytes: z.number().int().nonnegative().nullable(),
});

const releaseOrNone = z.union([z.literal(''), releaseIdSchema]);

export const releasesSchema = z.object({
  releasesOf: z.string(),
  known: z.boolean(),
  current: releaseOrNone,
  cutOff: releaseOrNone,
  branch: z.union([z.literal(''), z.string().regex(/^[0-9a-f]{40,64}$/)]),
});
export type ReleasesLine = z.output<typeof releasesSchema>;

export const keptReleaseOf = (line: z.output<typeof keptSchema>): KeptRelease => ({
  id: line.release,
  commit: line.commit || null,
  author: line.author,
  title: line.title,
  keptAt: line.atSeconds * 1000,
  bytes: line.bytes,
  images: line.images,
  holdsVariables: line.builder === 'herokuish',
});
