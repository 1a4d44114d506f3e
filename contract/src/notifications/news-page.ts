import { z } from 'zod';
import { destinationKinds } from '../destinations/facts.ts';
import { epochMsSchema, idSchema } from '../fields/schema.ts';
import { newsKinds } from './kinds.ts';

export const newsKindSchema = z.enum(newsKinds);

/**
 * `gathering`: no message holds the news yet. `waiting`: on its way, or to be tried again. `refused`: the destination took it
 * neither at first nor later. `unsent`: it was never tried; `answer` says why.
 */
export const sentStateSchema = z.enum(['gathering', 'waiting', 'sent', 'refused', 'unsent']);

const toldSchema = z.object({
  destinationId: idSchema,
  kind: z.enum(destinationKinds),
  name: z.string(),
  state: sentStateSchema,
  /** When the message was sent or given up; null before. */
  endedAt: epochMsSchema.nullable(),
  /** When the next try is due, or for a second destination when the news goes there; null where neither is. */
  dueAt: epochMsSchema.nullable(),
  attempts: z.number().int(),
  /** The news left together with other news. */
  together: z.boolean(),
  /** When it was repeated there last; null where it was not. */
  repeatedAt: epochMsSchema.nullable(),
  /** What the destination answered, in the console’s words, or why nothing was sent. */
  answer: z.string().nullable(),
});

/** Somebody looks into an incident: who said so, by their name of that moment, and when. */
export const acknowledgedSchema = z.object({ by: z.string(), at: epochMsSchema });
export type Acknowledged = z.output<typeof acknowledgedSchema>;

export const newsPieceSchema = z
  .object({
    id: idSchema,
    /** The incident: all of its pieces have this id. */
    incident: idSchema,
    kind: newsKindSchema,
    text: z.string(),
    at: epochMsSchema,
    /** `firing`: something began. `resolved`: it is over. `none`: it happened and has no end. */
    state: z.enum(['firing', 'resolved', 'none']),
    severity: z.enum(['info', 'warning', 'critical']),
    /** When what the news is about began, and when it was over; null while it lasts. */
    since: epochMsSchema,
    overAt: epochMsSchema.nullable(),
    /** Null where nobody has. */
    acknowledged: acknowledgedSchema.nullable(),
    /** It was raised while it was muted. */
    muted: z.boolean(),
    /** What it is about. News of an app has the app's server, too. */
    serverId: idSchema.nullable(),
    appId: idSchema.nullable(),
    /** The path of the page that shows what the news is about. */
    page: z.string(),
    /** The destinations that the news goes to. One that was removed is not among them. */
    told: z.array(toldSchema),
  })
  .meta({ id: 'NewsPiece' });
export type NewsPiece = z.output<typeof newsPieceSchema>;
export type ToldDestination = NewsPiece['told'][number];

export const newsPageSchema = z
  .object({
    /** Newest first. */
    news: z.array(newsPieceSchema),
    /** What `before` is for the next page, which is older; null on the last one. */
    next: z.number().int().nullable(),
    /** What the person has muted, whatever was asked for; what ends first is the first. */
    muted: z.array(
      z.object({
        of: z.enum(['incident', 'server', 'app']),
        id: idSchema,
        name: z.string(),
        until: epochMsSchema,
      }),
    ),
    /** What kept news is about, by name, whatever was asked for. */
    subjects: z.array(z.object({ id: idSchema, of: z.enum(['server', 'app', 'proxy']), name: z.string() })),
  })
  .meta({ id: 'NewsPage' });
export type NewsPage = z.output<typeof newsPageSchema>;
